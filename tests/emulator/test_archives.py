"""Backup archives (operations 10 and 11)."""

from urllib.parse import quote

from support.emulator.cases import case, each_case, ours

DAY = 24 * 60 * 60
FIRST = "GET /archives?resource_id=res-contoso-user-01"
DELETE_FOR = "DELETE /archives/archive-contoso-01?reason="
DELETE = f"{DELETE_FOR}left"
# A reason has 1 to 128 bytes.
REASONS = ["x", "x" * 128, "ü" * 64, "🚀" * 32]
NO_REASONS = ["", "x" * 129, "ü" * 64 + "x", "🚀" * 33]
ID = ["archive-contoso-01"]


test_an_answer_about_archives = each_case(
    {
        "a resource without archives": case("GET /archives?resource_id=res-contoso-user-20", answer=[]),
        "archives outlive their resource": case(
            {"resources": [ours("res-contoso-user-01", deleted=True)]}, FIRST, answer=ID
        ),
        "still there before seven days": case(DELETE, 7 * DAY - 60, FIRST, answer=ID),
        "gone after seven days": case(DELETE, 7 * DAY, FIRST, answer=[]),
        "gone cannot be deleted again": case(DELETE, 7 * DAY, DELETE, status=404),
        "again does not prolong the delay": case(DELETE, 6 * DAY, DELETE, DAY, FIRST, answer=[]),
        "a cancelled deletion never happens": case(
            DELETE,
            {"archives": [ours(ID[0], delete_at=None)]},
            8 * DAY,
            FIRST,
            answer=[False],
            field="items.delete_pending",
        ),
        **{f"a reason: {text}": case(f"DELETE /archives/{ID[0]}?reason={quote(text)}") for text in REASONS},
        **{
            f"no reason: {text}": case(f"DELETE /archives/{ID[0]}?reason={quote(text)}", status=400)
            for text in NO_REASONS
        },
        "an archive of another tenant": case("DELETE /archives/archive-adatum-01?reason=left", status=404),
    }
)
