"""Impossible members stop a preview; members that leave do not stop a nightly run."""

from typing import Any

from support import Emulator
from support.engine.programs import program, writes_by_thing
from support.engine.stack import Stack

NIGHT = ("--refresh", "--expect-no-changes")
LEAVER, STAYS, GONE = "wei.zhang@contoso.example", "res-contoso-user-13", "res-contoso-user-14"


def people(*more: str, **arguments: object) -> str:
    return program(f'protect_all("people", {[LEAVER, STAYS, GONE, *more]}, **{arguments})')


def leave(emulator: Emulator) -> None:
    """Let a member leave the company, whose mailbox is archived, and delete another member."""
    users: list[dict[str, Any]] = [{"id": "res-contoso-user-12", "archived": True}, {"id": GONE, "deleted": True}]
    (protection,) = (one for one in emulator.state()["protections"] if one["resource_id"] == "res-contoso-user-12")
    emulator.patch(
        {
            "resources": [{"tenant_id": "tenant-contoso", **user} for user in users],
            "protections": [{**protection, "deleted": True}],
        }
    )


def test_leavers_stop_no_nightly_run_and_a_typo_stops_the_preview(stack: Stack, emulator: Emulator) -> None:
    stack.deploy(people())
    leave(emulator)
    emulator.clear_requests()
    for command, options in ((stack.up, []), (stack.preview, NIGHT), (stack.up, ["--refresh"])):
        outcome = command(*options)
        assert (False, {}) == (outcome.failed, outcome.steps), outcome.text
        assert "skipped:" in outcome.messages["people"], options
        assert {"people"} == outcome.messages.keys()
    assert {} == writes_by_thing(emulator)

    refused = {
        "a typo": (people("nobody@contoso.example"), "nobody@contoso.example: "),
        "an archived newcomer": (people("former.employee@contoso.example"), "is archived"),
        "leavers too": (people(on_missing="fail"), "2 cannot be members:"),
    }
    for case, (text, words) in refused.items():
        stack.write(text)
        preview = stack.preview()
        assert preview.failed, case
        assert words in preview.messages["people"], case
    stack.write(people("nobody@contoso.example", on_missing="warn"))
    up = stack.up()
    assert (False, {"people": "update"}) == (up.failed, up.steps)
    assert "3 skipped:" in up.messages["people"]
    assert not stack.preview(*NIGHT).failed
    assert {} == writes_by_thing(emulator)

    # A person who comes back is a member again.
    emulator.patch({"resources": [{"tenant_id": "tenant-contoso", "id": "res-contoso-user-12", "archived": False}]})
    assert {"people": "update"} == stack.preview().steps
    assert {"people": "update"} == stack.up().steps
    assert {"contoso-user-12": ["+gold"]} == writes_by_thing(emulator)
