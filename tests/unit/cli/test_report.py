"""`dataprotection report`: its files, its parts, and parts that cannot be read."""

import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pulumi_dataprotection.client.records import parse_time
from support import Emulator
from support.cli.running import run_command
from support.inventory.states import protection, write_state

CONTOSO, ADATUM = "tenant-contoso", "tenant-adatum"


def made(emulator: Emulator, folder: Path, *options: str, status: int = 0) -> dict[str, Any]:
    """Write a report as JSON, and return it by the ids of its customers."""
    out = folder / "report.json"
    result = run_command(emulator, "report", "--out", str(out), *options)
    assert status == result.exit_code, result.stderr
    document: dict[str, Any] = json.loads(out.read_text())
    document["customers"] = {one["tenant_id"]: one for one in document["customers"]}
    return document


def test_one_run_writes_each_format(emulator: Emulator, tmp_path: Path) -> None:
    outs = [tmp_path / f"report.{suffix}" for suffix in ("html", "md", "json")]
    words = [word for out in outs for word in ("--out", str(out))]
    result = run_command(emulator, "report", *words, key=emulator.read_only_key)
    assert (0, "") == (result.exit_code, result.stdout)
    for out in outs:
        assert {"Contoso Workspace", "Adatum Workspace"} <= {*re.findall(r"\w+ Workspace", out.read_text())}
    assert {*outs} == {*tmp_path.iterdir()}, "no other file is left"
    assert [] == emulator.writes()


def test_a_customer_has_its_coverage_its_licences_and_its_tasks(emulator: Emulator, tmp_path: Path) -> None:
    contoso = made(emulator, tmp_path)["customers"][CONTOSO]
    assert ("Contoso Workspace", "org-contoso", "Contoso") == (
        contoso["tenant_name"], contoso["org_id"], contoso["org_name"]
    )  # fmt: skip
    people = next(one for one in contoso["kinds"] if one["kind"] == "office_user")
    assert (29, 8) == (people["count"], people["in_portal"])
    assert {"kind": "resource", "used": 10, "limit": 50}.items() <= contoso["licences"][0].items()
    assert {"done", "warnings", "failed"} == contoso["tasks"].keys()
    assert 20 == len(contoso["unprotected"])


def test_failed_tasks_are_those_of_the_days(emulator: Emulator, tmp_path: Path) -> None:
    for days in (1, 7, 31):
        emulator.clear_requests()
        assert days == made(emulator, tmp_path, "--days", str(days))["days"]
        asked = [request["query"] for request in emulator.requests() if request["operation"] == "get_task_stats"]
        assert 2 == len(asked)
        assert asked[0] == asked[1], "the window of all tenants is the same"
        start, end = (parse_time(asked[0][name]) for name in ("start_time", "end_time"))
        assert timedelta(days=days, hours=-1) < end - start <= timedelta(days=days)
        assert (0, 0, 0) == (start.minute, start.second, start.microsecond)


def test_a_report_shows_the_changes_since_the_last_report_and_replaces_it(emulator: Emulator, tmp_path: Path) -> None:
    out = str(tmp_path / "report.json")
    first = run_command(emulator, "report", "--out", out, "--since", out)
    assert (0, True) == (first.exit_code, first.stderr.startswith("Warning: "))
    protections = [one for one in emulator.state()["protections"] if one["tenant_id"] == CONTOSO]
    emulator.patch({"protections": [{**protections[0], "deleted": True}]})
    second = made(emulator, tmp_path, "--since", out)
    assert [("unprotected items", 30, 31)] == [
        (one["subject"], one["before"], one["after"]) for one in second["changes"]
    ]
    page = tmp_path / "page.html"
    assert 0 == run_command(emulator, "report", "--out", str(page), "--since", out).exit_code
    assert "Changes since the last report" in page.read_text()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("{", "JSON"),
        ('{"schema_version": 999}', "999"),
        (b"\xff", "UTF-8"),
    ],
)
def test_an_earlier_report_that_cannot_be_read_fails_before_any_call(
    emulator: Emulator, tmp_path: Path, content: str | bytes, reason: str
) -> None:
    since = tmp_path / "since.json"
    since.write_bytes(content if isinstance(content, bytes) else content.encode())
    result = run_command(emulator, "report", "--out", str(tmp_path / "x.html"), "--since", str(since))
    assert (1, True, []) == (result.exit_code, reason in result.stderr, emulator.requests())
    assert {since} == {*tmp_path.iterdir()}


def test_an_earlier_report_of_other_tenants_is_refused(emulator: Emulator, tmp_path: Path) -> None:
    out = str(tmp_path / "report.json")
    made(emulator, tmp_path, "--tenant", CONTOSO)
    result = run_command(emulator, "report", "--out", out, "--since", out, "--org", "org-contoso")
    assert (1, True) == (result.exit_code, "other tenants" in result.stderr)


def test_an_anonymous_report_has_no_name_in_any_format(emulator: Emulator, tmp_path: Path) -> None:
    words = [word for suffix in ("html", "md", "json") for word in ("--out", str(tmp_path / f"report.{suffix}"))]
    with emulator.faults({"operation": "list_resources", "path": f"*/{ADATUM}/*", "do": ["status:403"]}):
        result = run_command(emulator, "report", "--anonymous", *words)
    assert 1 == result.exit_code
    for path in tmp_path.iterdir():
        assert [] == re.findall("(?i)contoso|adatum|meridian|example", path.read_text())


@pytest.mark.parametrize("operation", ["list_resources", "get_tenant_quotas", "get_task_stats"])
@pytest.mark.parametrize("status", [403, 404])
def test_an_unreadable_part_of_a_customer_is_marked_and_the_rest_is_there(
    emulator: Emulator, tmp_path: Path, operation: str, status: int
) -> None:
    with emulator.faults({"operation": operation, "path": f"*/{CONTOSO}/*", "do": [f"status:{status}"]}):
        found = made(emulator, tmp_path, status=1)["customers"]
    missing = {"list_resources": "kinds", "get_tenant_quotas": "licences", "get_task_stats": "tasks"}
    for id, customer in found.items():
        parts = {name for name in missing.values() if customer[name] is None}
        assert ({missing[operation]} if id == CONTOSO else set()) == parts
        assert (id == CONTOSO) == any(str(status) in problem for problem in customer["problems"])


@pytest.mark.parametrize("status", [400, 200])
def test_a_wrong_answer_about_the_tasks_of_a_tenant_does_not_end_the_report(
    emulator: Emulator, tmp_path: Path, status: int
) -> None:
    fault: dict[str, Any] = {"operation": "get_task_stats", "path": f"*/{CONTOSO}/*"}
    with emulator.faults({**fault, "do": [{"status": status, "body": "[]"}]}):
        found = made(emulator, tmp_path, status=1)
    assert {CONTOSO, ADATUM} == {*found["customers"]}
    assert "" == found["ended_early"]


def test_the_drift_of_stacks_is_a_part_of_the_report(emulator: Emulator, tmp_path: Path) -> None:
    protected = [one for one in emulator.state()["protections"] if one["tenant_id"] == CONTOSO]
    in_step = protection(protected[0]["resource_id"], protected[0]["policy_id"], stack="north")
    bare = protection("res-contoso-user-12", "policy-contoso-gold", stack="south")
    states = [write_state(tmp_path, in_step, stack="north"), write_state(tmp_path, bare, stack="south")]
    words = [word for state in states for word in ("--state", str(state))]
    found = made(emulator, tmp_path, *words)
    assert {"north": ({"in step": 1}, False), "south": ({"bare": 1}, True)} == {
        stack["name"]: (stack["counts"], stack["is_drift"]) for stack in found["stacks"]
    }
    assert ["north"] == found["customers"][CONTOSO]["stacks"]
    assert 1 == sum(kind["by_code"] for kind in found["customers"][CONTOSO]["kinds"])
    emulator.patch({"protections": [{**protected[0], "deleted": True}]})
    later = made(emulator, tmp_path, *words, "--since", str(tmp_path / "report.json"))
    assert ("north", "items that are not in step", 0, 1) in {
        (one["label"], one["subject"], one["before"], one["after"]) for one in later["changes"]
    }


def test_a_state_that_cannot_be_read_is_in_the_report(emulator: Emulator, tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text("{")
    found = made(emulator, tmp_path, "--state", str(tmp_path / "broken.json"), status=1)
    assert ["broken"] == re.findall("broken(?= )", found["unseen"][0])
    assert [] == found["stacks"]


def test_an_organization_that_cannot_be_read_is_in_the_report(emulator: Emulator, tmp_path: Path) -> None:
    with emulator.faults({"operation": "list_orgs", "nth": 2, "do": ["status:403"]}):
        found = made(emulator, tmp_path, status=1)
    assert 1 == len(found["unseen"])
    assert "403" in found["unseen"][0]


@pytest.mark.parametrize("operation", ["list_resources", "get_tenant_quotas"])
def test_an_error_of_the_whole_service_ends_the_walk_and_keeps_what_was_read(
    emulator: Emulator, tmp_path: Path, operation: str
) -> None:
    with emulator.faults({"operation": operation, "path": f"*/{ADATUM}/*", "do": ["status:401"]}):
        found = made(emulator, tmp_path, status=1)
    assert CONTOSO in found["customers"]
    assert "401" in found["ended_early"]


def test_no_file_is_written_if_nothing_can_be_read(emulator: Emulator, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    out.write_text("yesterday")
    with emulator.faults({"operation": "list_installations", "do": ["status:401"]}):
        result = run_command(emulator, "report", "--out", str(out))
    assert (1, "yesterday", [out]) == (result.exit_code, out.read_text(), [*tmp_path.iterdir()])


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--out", "report.txt"),
        ("--out", "report"),
        ("--out", "nowhere/report.html"),
        ("--out", "report.html", "--days", "32"),
        ("--out", "report.html", "--days", "0"),
        ("--out", "report.html", "--recursive"),
    ],
)
def test_the_options_are_checked_before_any_call(emulator: Emulator, words: tuple[str, ...]) -> None:
    result = run_command(emulator, "report", *words)
    assert (2, "", []) == (result.exit_code, result.stdout, emulator.requests())


def test_a_file_that_cannot_be_written_stays_as_it_was(emulator: Emulator, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    out.mkdir()
    result = run_command(emulator, "report", "--out", str(out))
    assert 2 == result.exit_code
    target = tmp_path / "report.md"
    target.symlink_to("/dev/full/report.md")
    result = run_command(emulator, "report", "--out", str(target))
    assert (1, True) == (result.exit_code, "report.md cannot be written" in result.stderr)
    assert {out, target} == {*tmp_path.iterdir()}


def test_a_name_of_the_service_is_text_in_each_format(emulator: Emulator, tmp_path: Path) -> None:
    name = '<script>alert(1)</script>"\n# x\u202e@octocat'
    emulator.patch({"tenants": [{"id": CONTOSO, "name": name}], "orgs": [{"id": "org-contoso", "name": name}]})
    words = [word for suffix in ("html", "md", "json") for word in ("--out", str(tmp_path / f"report.{suffix}"))]
    assert 0 == run_command(emulator, "report", *words).exit_code
    page, text, document = ((tmp_path / f"report.{suffix}").read_text() for suffix in ("html", "md", "json"))
    assert not {"\u202e", "\x1b"} & {*page, *text, *document}
    assert (1, True) == (page.count("<script>"), "&lt;script&gt;alert(1)" in page)
    assert '| `<script>alert(1)</script>"\\u000a# x\\u202e@octocat` |' in text


def test_a_link_keeps_leading_to_the_file(emulator: Emulator, tmp_path: Path) -> None:
    (tmp_path / "real.md").write_text("yesterday")
    (tmp_path / "link.md").symlink_to("real.md")
    assert 0 == run_command(emulator, "report", "--out", str(tmp_path / "link.md")).exit_code
    assert (tmp_path / "link.md").is_symlink()
    assert "Backup report" in (tmp_path / "real.md").read_text()


def test_each_tenant_costs_its_pages_and_two_calls(emulator: Emulator, tmp_path: Path) -> None:
    emulator.reset("large:30x2")
    assert 30 == len(made(emulator, tmp_path)["customers"])
    operations = [request["operation"] for request in emulator.requests()]
    each = ("list_policies", "list_protections", "list_resources", "get_tenant_quotas", "get_task_stats")
    assert dict.fromkeys(each, 30) == {name: operations.count(name) for name in each}
