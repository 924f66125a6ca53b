"""The file through which a program informs the provider process."""

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from pulumi_dataprotection import client
from pulumi_dataprotection.core.handover import Declaration, Handover, HandoverFile, read_handover

HERE = client.Settings(api_key="key-1", base_url="https://api.test")
ELSEWHERE = client.Settings(api_key="key-1", base_url="https://other.test")
ANOTHER_KEY = client.Settings(api_key="key-2", base_url="https://api.test")


@pytest.fixture
def address(tmp_path: Path) -> str:
    """The address of an engine."""
    return f"unix:{tmp_path}/engine"


def test_the_provider_reads_the_file_of_its_own_engine(address: str) -> None:
    assert read_handover(address) is None
    file, other = HandoverFile(address), HandoverFile(f"{address}2")
    other.declare([Declaration("b", "", "t", ["x"])], complete=True)
    assert (False, []) == ((found := read_handover(address)) and (found.complete, found.declarations))
    declaration = Declaration("a", "urn:a", "t", ["x", "y"])
    file.declare([declaration], complete=True)
    assert (True, [declaration]) == ((found := read_handover(address)) and (found.complete, found.declarations))
    file.remove()
    other.remove()
    assert read_handover(address) is None


@pytest.mark.parametrize("preview", [True, False])
def test_the_file_says_whether_the_program_runs_for_a_preview(address: str, *, preview: bool) -> None:
    file = HandoverFile(address, preview=preview)
    file.add_service("msp", HERE)
    file.declare([], complete=True)
    found = read_handover(address)
    file.remove()
    assert found
    assert (preview, True, ["msp"]) == (found.preview, found.complete, [*found.services])


def test_other_users_cannot_read_the_file_and_it_holds_no_key(address: str) -> None:
    file = HandoverFile(address)
    for profile in (None, None, "msp"):
        file.add_service(profile, HERE)
    assert (0o600, 0o700) == tuple(stat.S_IMODE(path.stat().st_mode) for path in (file.path, file.path.parent))
    text = file.path.read_text()
    assert [] == [secret for secret in (HERE.api_key, HERE.base_url, "api.test") if secret in text]
    file.remove()


def test_the_file_of_a_killed_program_is_ignored_and_removed(address: str) -> None:
    writes = f"from {HandoverFile.__module__} import HandoverFile; file = HandoverFile({address!r})"
    command = [sys.executable, "-c", f"{writes}; print(file.path, flush=True); input()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout
        left = Path(program.stdout.readline().strip())
        os.kill(program.pid, signal.SIGKILL)
        # Its number still exists, as the number of a process that the system reused would.
        os.waitid(os.P_PID, program.pid, os.WEXITED | os.WNOWAIT)
        os.kill(program.pid, 0)
        assert read_handover(address) is None
        broken = left.with_name(f"{left.name.split('.')[0]}.none.program")
        broken.write_text("{}")
        file = HandoverFile(address)
        assert [file.path] == [*left.parent.glob(f"{left.name.split('.')[0]}.*.program")]
        assert [file.path.with_suffix(".lock")] == [*left.parent.glob(f"{left.name.split('.')[0]}.*.lock")]
        file.remove()


def test_the_latest_program_of_an_address_counts(address: str) -> None:
    earlier, later = HandoverFile(address), HandoverFile(address)
    earlier.declare([], complete=True)
    os.utime(earlier.path, ns=(0, 0))
    found = read_handover(address)
    assert found
    assert not found.complete
    earlier.remove()
    later.remove()


def test_a_folder_of_another_user_is_not_used(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    client.private_folder().chmod(0o755)
    assert read_handover(address) is None
    with pytest.raises(PermissionError, match="mode 0700"):
        HandoverFile(address)


@pytest.mark.parametrize(("settings", "contradicts"), [(HERE, False), (ELSEWHERE, True), (ANOTHER_KEY, True)])
def test_another_url_or_key_contradicts(address: str, settings: client.Settings, *, contradicts: bool) -> None:
    file = HandoverFile(address)
    file.add_service("msp", HERE)
    found = read_handover(address)
    file.remove()
    assert found
    assert (contradicts, False) == (found.contradicts("msp", settings), found.contradicts(None, settings))


@pytest.mark.parametrize(
    ("tenant_id", "references", "expected"),
    [
        ("t", ["JANE@x"], "a"),
        ("t", ["id-2", "jane@X"], "a"),
        ("t", ["id-9"], "somewhere"),
        ("other", ["jane@x"], None),
        ("other", ["id-9"], "somewhere"),
        ("unknown", ["anything"], "late"),
    ],
)
def test_a_declaration_is_found_by_any_reference(tenant_id: str, references: list[str], expected: str | None) -> None:
    handover = Handover(
        declarations=[
            Declaration("a", "urn:a", "t", ["jane@x", "id-1"]),
            Declaration("somewhere", "", None, ["id-9"]),
            Declaration("late", "", "unknown", None),
        ]
    )
    assert expected == handover.declared_by(tenant_id, references)
