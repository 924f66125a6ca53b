"""Who cannot be a member, and who leaves: what stops a preview, and what does not hold up a night's run."""

from typing import Any

from support import Emulator
from support.engine.programs import program, writes_by_thing
from support.engine.stack import Stack

NIGHT = ("--refresh", "--expect-no-changes")
LEAVER, STAYS, GONE = "wei.zhang@contoso.example", "res-contoso-user-13", "res-contoso-user-14"


def people(*more: str, **arguments: object) -> str:
    return program(f'protect_all("people", {[LEAVER, STAYS, GONE, *more]}, **{arguments})')


def leave(emulator: Emulator) -> None:
    """Let one member leave the company, whose mailbox is archived, and another one be deleted."""
    users: list[dict[str, Any]] = [{"id": "res-contoso-user-12", "archived": True}, {"id": GONE, "deleted": True}]
    (protection,) = (one for one in emulator.state()["protections"] if one["resource_id"] == "res-contoso-user-12")
    emulator.patch(
        {
            "resources": [{"tenant_id": "tenant-contoso", **user} for user in users],
            "protections": [{**protection, "deleted": True}],
        }
    )


def test_leavers_hold_up_no_night_and_a_typo_is_found_in_the_preview(stack: Stack, emulator: Emulator) -> None:
    stack.write(people())
    stack.up()
    leave(emulator)
    emulator.clear_requests()
    for command, options in ((stack.up, []), (stack.preview, NIGHT), (stack.up, ["--refresh"])):
        outcome = command(*options)
        assert (False, {}) == (outcome.failed, outcome.steps), outcome.text
        assert "skipped:" in outcome.messages["people"], options
        assert {"people"} == outcome.messages.keys()
    assert {} == writes_by_thing(emulator)

    refused = {
        "a typo": (people("nobody@contoso.example"), "nobody@contoso.example: there is no such resource"),
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

    # One who comes back is a member again.
    emulator.patch({"resources": [{"tenant_id": "tenant-contoso", "id": "res-contoso-user-12", "archived": False}]})
    assert {"people": "update"} == stack.preview().steps
    assert {"people": "update"} == stack.up().steps
    assert {"contoso-user-12": ["+gold"]} == writes_by_thing(emulator)


def test_who_came_back_under_the_same_address_is_somebody_new(stack: Stack, emulator: Emulator) -> None:
    stack.write(people())
    stack.up()
    new = {"id": "res-contoso-user-99", "external_id": "usr-99", "name": LEAVER, "kind": "office_user"}
    emulator.patch(
        {
            "resources": [
                {"tenant_id": "tenant-contoso", "id": "res-contoso-user-12", "deleted": True},
                {"tenant_id": "tenant-contoso", **new},
            ]
        }
    )
    emulator.clear_requests()
    assert {"people": "update"} == stack.preview("--refresh").steps
    assert {"people": "update"} == stack.up().steps
    assert {"contoso-user-99": ["+gold"]} == writes_by_thing(emulator)
    assert {} == stack.up("--refresh").steps


TWENTY = f'"everybody", {[*range(9, 29)]}'
TOO_MANY = {
    "a list that broke": '"everybody", []',
    "a member too many": f'"everybody", {[*range(15, 29)]}',
    "more than the number": f'"everybody", {[*range(13, 29)]}, max_removals=3',
    "more than the share": f'"everybody", {[*range(13, 29)]}, max_removals="19%"',
    "another tenant": f'{TWENTY}, tenant="adatum", on_missing="warn"',
}


def test_a_change_that_takes_off_too_many_stops_in_the_preview_and_names_them(stack: Stack, emulator: Emulator) -> None:
    stack.write(program(f"protect_all({TWENTY})"))
    stack.up()
    emulator.clear_requests()
    for case, arguments in TOO_MANY.items():
        stack.write(program(f"protect_all({arguments})"))
        preview = stack.preview()
        assert preview.failed, case
        text = preview.messages["everybody" if case == "another tenant" else "everybody-removal"]
        assert "max_removals" in text, case
        assert "łukasz.nowak@contoso.example (res-contoso-user-09)" in text, case
    assert stack.up().failed
    assert {} == writes_by_thing(emulator)

    stack.write(program(f'protect_all("everybody", {[*range(14, 29)]})'))
    assert {"everybody": "update"} == stack.up().steps
    stack.write(program('protect_all("everybody", [28], max_removals="100%")'))
    assert {"everybody": "update"} == stack.up().steps
    assert {f"contoso-user-{number:02}": ["-gold"] for number in range(9, 28)} == writes_by_thing(emulator)
