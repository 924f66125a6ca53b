"""`dataprotection get` as a process: its terminal, a closed pipe, Ctrl-C, and its imports."""

import csv
import io
import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence

import click
import pytest

from pulumi_dataprotection.spec import BY_ID
from support import HANG, Emulator, run_process, until
from support.cli.commands import PYTHON, in_terminal
from support.cli.getting import get, settings
from support.resources.servicer import HURRIED, assert_names

RESOURCES = ("get", "resources", "--tenant", "tenant-contoso")


def environment(emulator: Emulator, **variables: str) -> Mapping[str, str]:
    return {**os.environ, **settings(emulator), **variables}


def test_a_closed_pipe_is_no_error(emulator: Emulator) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [*PYTHON, *RESOURCES],
            env=environment(emulator),
            stdout=writer,
            stderr=subprocess.PIPE,
            timeout=HANG,
            check=False,
        )
    finally:
        os.close(writer)
    assert (1, b"") == (done.returncode, done.stderr)


@pytest.mark.parametrize(
    ("words", "operation"),
    [(RESOURCES, "list_resources"), (("get", "tenants", "--org", "org-meridian", "--recursive"), "list_orgs")],
    ids=["one call", "calls on threads"],
)
def test_a_long_wait_is_shown_on_stderr(emulator: Emulator, words: tuple[str, ...], operation: str) -> None:
    fault = {"operation": operation, "do": [{"status": 503, "headers": {"Retry-After": "60"}}]}
    with emulator.faults(fault):
        done = run(emulator, *words)
    (waited,) = done.stderr.splitlines()
    assert re.fullmatch(rf"info: waiting 6[01] s: cannot {BY_ID[operation].does} yet \(503\)", waited)
    assert 0 == done.returncode


def test_a_process_fails_at_once_before_the_time_that_the_service_told_another_process(emulator: Emulator) -> None:
    fault = {"operation": "list_resources", "do": [{"status": 429, "headers": {"Retry-After": "86400"}}]}
    with emulator.faults(fault):
        first = run(emulator, *RESOURCES)
    second = run(emulator, *RESOURCES)
    assert (1, 1, 1) == (first.returncode, second.returncode, len(emulator.requests()))
    assert_names(first.stderr, "429", "86,400 s", "UTC")
    assert_names(second.stderr, "429", "nothing was sent", "UTC")


def run(emulator: Emulator, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run the command in a process whose waits end at once."""
    variables = environment(emulator, **HURRIED)
    return run_process([*PYTHON, *words], env=variables)


@pytest.mark.parametrize(
    ("words", "operation"),
    [(RESOURCES, "list_resources"), (("get", "orgs", "--parent", "org-meridian"), "list_orgs")],
    ids=["one call", "calls on threads"],
)
def test_ctrl_c_ends_it_at_once_and_silently(emulator: Emulator, words: tuple[str, ...], operation: str) -> None:
    assert (130, b"", b"") == interrupted(emulator, [*PYTHON, *words], {"operation": operation, "do": ["stall:900"]})


def test_ctrl_c_stays_ignored_in_the_background(emulator: Emulator) -> None:
    in_background = ["sh", "-c", 'trap "" INT; exec "$@"', "sh", *PYTHON, *RESOURCES, "--name", "none"]
    status, _, told = interrupted(emulator, in_background, {"operation": "list_resources", "do": ["stall:1"]})
    assert (0, b"no resources\n") == (status, told)


def interrupted(emulator: Emulator, command: Sequence[str], fault: Mapping[str, object]) -> tuple[int, bytes, bytes]:
    """Press Ctrl-C while a command waits for an answer, and return its status and output."""
    variables = environment(emulator, DATAPROTECTION_REQUEST_TIMEOUT="300")
    with (
        emulator.faults(fault),
        subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process,
    ):
        try:
            until(lambda: not emulator.remaining_faults(), process)
            process.send_signal(signal.SIGINT)
            out, told = process.communicate(timeout=HANG)
        finally:
            process.kill()
    return process.returncode, out, told


def shown(emulator: Emulator, columns: int, *words: str) -> str:
    """Run the command in a terminal, and return its output without colours."""
    status, text = in_terminal(columns, environment(emulator), *words)
    assert 0 == status
    return click.unstyle(text)


TABLES = {
    "resources": RESOURCES,
    "protections": ("get", "protections", "--all-tenants"),
    "statistics": ("get", "resource-stats", "--all-tenants"),
}


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("name", TABLES)
def test_a_table_fits_into_the_terminal_and_breaks_no_cell(emulator: Emulator, name: str, columns: int) -> None:
    lines = [line.rstrip() for line in shown(emulator, columns, *TABLES[name]).splitlines()]
    assert columns >= max(map(len, lines))
    piped = get(emulator, *TABLES[name][1:], "--format", "csv").stdout
    cells = {cell for row in csv.reader(io.StringIO(piped)) for cell in row if cell}
    text = "\n".join(lines)
    assert [] == [cell for cell in cells if cell not in text]


def test_values_that_all_records_share_stand_once_above_a_table_that_is_too_wide(emulator: Emulator) -> None:
    lines = [line.rstrip() for line in shown(emulator, 80, *RESOURCES, "--kind", "office_teamdrive").splitlines()]
    assert ["tenant_id  tenant-contoso", "kind       office_teamdrive", "archived   false", ""] == lines[:4]
    assert ["id", "external_id", "name"] == lines[4].split()
    assert "res-contoso-drive-01  drv-2001     Finance" == lines[5]


def test_records_that_are_too_wide_for_a_line_are_paragraphs(emulator: Emulator) -> None:
    lines = [line.rstrip() for line in shown(emulator, 80, *TABLES["protections"]).splitlines()]
    assert lines[:9] == [
        "tenant_id      tenant-contoso",
        "tenant_name    Contoso Workspace",
        "id             prot-contoso-01",
        "resource_id    res-contoso-user-01",
        "resource_name  jane.doe@contoso.example",
        "policy_id      policy-contoso-silver",
        "policy_name    Silver",
        "job_id         job-contoso-01",
        "",
    ]


def test_a_table_is_complete_in_a_very_narrow_terminal(emulator: Emulator) -> None:
    text = shown(emulator, 16, "get", "org", "--id", "org-contoso")
    assert (True, False) == ("extern" in text, "…" in text)


@pytest.mark.parametrize("output_format", ["csv", "json"])
def test_tenants_are_printed_as_they_are_read(emulator: Emulator, output_format: str) -> None:
    words = ("get", "policies", "--all-tenants", "--format", output_format)
    fault = {"operation": "list_policies", "path": "*/tenant-adatum/*", "do": ["stall:900"]}
    variables = environment(emulator, DATAPROTECTION_REQUEST_TIMEOUT="300")
    with (
        emulator.faults(fault),
        subprocess.Popen([*PYTHON, *words], env=variables, stdout=subprocess.PIPE, text=True) as process,
    ):
        assert process.stdout
        # It ends with the third policy of the first tenant, while the second tenant stalls.
        read = process.stdout.readline()
        while "policy-contoso-silver" not in read:
            read += process.stdout.readline()
        until(lambda: not emulator.remaining_faults(), process)
        process.kill()
    assert "policy-adatum" not in read


def test_the_command_imports_no_libraries_before_a_function_needs_them() -> None:
    heavy = {"pulumi", "grpc", "httpx", "pydantic", "rich"}
    program = f"import sys, pulumi_dataprotection.cli; print(*{heavy} & {{*sys.modules}})"
    done = run_process([sys.executable, "-c", program], check=True)
    assert "\n" == done.stdout
