"""The guides are right: their programs run, and their numbers match the code."""

import json
import re
import subprocess
from importlib import metadata
from itertools import takewhile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from pulumi_dataprotection.testing import Emulator as PublicEmulator
from pulumi_dataprotection.testing import StackFactory
from support import HANG, ROOT, Emulator, run_process
from support.cli.adopting import adopt
from support.engine.stack import Stack
from support.pages import DOCS, blocks
from support.resources.effects import policies_on

TOOLS = ROOT / "tools/pulumi-cli"
GUIDES = DOCS / "guides"


MOVING = "guides/moving-from-the-portal.md"
CONTOSO = "customer/tenants/contoso/contoso-workspace.yaml"
NAMED_IN_THE_PORTAL = """
Org("alpine", external_id="crm-9", name="Alpine IT Services", parent_org_id="org-meridian")
"""


def test_a_customer_moves_without_a_write_and_back(
    dataprotection_stack: StackFactory, dataprotection_emulator: PublicEmulator, tmp_path: Path
) -> None:
    emulator, project = dataprotection_emulator, tmp_path / "estate"
    before = emulator.state()["protections"]
    (shell, *_), (data,) = blocks(MOVING, "sh"), blocks(MOVING, "yaml")
    (words,) = re.findall("^dataprotection adopt --out (.*)$", shell, re.MULTILINE)
    ended = adopt(emulator, project)
    assert ("estate", 0, True) == (words, ended.exit_code, "23 to adopt, 0 to write" in ended.stdout)
    assert data == (project / CONTOSO).read_text("utf-8")
    stack = dataprotection_stack(project / "customer", name="contoso", key="read_only")
    assert ([], False) == ((up := stack.up()).writes, up.failed), up.text
    assert {} == stack.preview("--refresh", "--expect-no-changes").steps

    # A person is added, a person gets another policy, and a person leaves the file; now the key may write.
    stack.environment["DATAPROTECTION_API_KEY"] = emulator.api_key
    changed = data.replace("  Gold:\n", "  Gold:\n    - res-contoso-user-12\n    - john.smith@contoso.example\n")
    changed = changed.replace("    - john.smith@contoso.example\n", "", 1).replace("    - Human Resources\n", "")
    (project / CONTOSO).write_text(changed, "utf-8")
    assert {"tenant-contoso": "update"} == (up := stack.up()).steps, up.text
    after = emulator.state()["protections"]
    policies = {one["resource_id"]: one["policy_id"] for one in after}
    assert {
        "res-contoso-user-12": "policy-contoso-gold",
        "res-contoso-user-02": "policy-contoso-gold",
        "res-contoso-drive-02": "policy-contoso-silver",
    }.items() <= policies.items()

    # On the way back all protections stay.
    assert len(before) + 1 == len(after)
    program = project / "customer/__main__.py"
    program.write_text(program.read_text("utf-8").replace('adopt="keep"', 'on_destroy="keep"'), "utf-8")
    assert not stack.up().failed
    stack.unprotect_state()
    assert not stack.destroy().failed
    assert after == emulator.state()["protections"]


def test_an_organization_without_an_external_id_cannot_be_declared(stack: Stack) -> None:
    stack.write(NAMED_IN_THE_PORTAL)
    assert "(org-alpine)" in stack.preview().messages["alpine"]


def test_an_import_file_makes_the_program_own_a_protection_of_the_portal(
    stack: Stack, emulator: Emulator, tmp_path: Path
) -> None:
    (document,) = blocks("resources/protection.md", "json")
    (tmp_path / "jane.json").write_text(document)
    stack.write('Protection("jane", tenant_id="tenant-contoso", resource="jane.doe@contoso.example", policy="Silver")')
    imported = stack.adopt(json.loads(document)["resources"])
    assert not imported.failed, imported.text
    assert {} == stack.preview().steps
    assert not stack.refresh().failed
    assert "job-contoso-01" == stack.resources()["jane"]["outputs"]["job_id"]
    assert not stack.destroy().failed
    assert [] == policies_on(emulator, "res-contoso-user-01")


def test_the_stack_of_a_customer_adopts_everything_after_the_loss_of_its_state(
    stack: Stack, emulator: Emulator, tmp_path: Path
) -> None:
    msp_program, customer_program = blocks("guides/stack-per-customer.md", "python")
    stack.write(msp_program)
    assert {"contoso": "create", "northwind": "create"} == stack.up().steps
    assert [] == emulator.writes()

    customer = Stack(tmp_path, emulator, "crm-1002")
    customer.write(customer_program)
    assert {"tenant-contoso": "create"} == customer.up().steps
    people = {
        resource["id"]
        for resource in emulator.state()["resources"]
        if (resource["tenant_id"], resource["kind"], resource["archived"]) == ("tenant-contoso", "office_user", False)
    }
    outputs = customer.resources()["tenant-contoso"]["outputs"]
    assert people == {*outputs["protected"], *outputs["adopted"]}
    customer.write("")
    preview = customer.preview()
    assert preview.failed
    assert "because it is protected" in preview.text

    before = emulator.state()["protections"]
    emulator.clear_requests()
    (tmp_path / ".pulumi/stacks/test/crm-1002.json").unlink()
    again = Stack(tmp_path, emulator, "crm-1002")
    again.write(customer_program.replace("protect=True", "protect=False"))
    assert {"tenant-contoso": "create"} == again.up().steps
    assert {} == again.resources()["tenant-contoso"]["outputs"]["protected"]
    assert not again.destroy().failed
    assert (before, []) == (emulator.state()["protections"], emulator.writes())


PROTECT = 'Protection("wei", tenant_id="tenant-contoso", resource="res-contoso-user-12", policy="{}")'


def test_the_guide_has_the_exit_codes_of_pulumi(stack: Stack, emulator: Emulator, tmp_path: Path) -> None:
    good, bad = PROTECT.format("Gold"), PROTECT.format("Golf")
    read_only = emulator.read_only_key
    commands: list[tuple[str, dict[str, str | None], str]] = [
        (good, {"DATAPROTECTION_API_KEY": read_only}, "preview"),
        (good, {}, "preview --expect-no-changes"),
        (bad, {}, "preview"),
        # Without a key the preview does not find an unknown policy.
        (bad, {"DATAPROTECTION_API_KEY": None, "DATAPROTECTION_PREVIEW_CHECKS": "false"}, "preview"),
        (good.replace("res-", "\x07"), {}, "preview"),
        (f"{good}\nget_tenant('tenant-contoso')", {}, "preview"),
        (good, {"DATAPROTECTION_API_KEY": emulator.api_key}, "up --yes"),
        (good, {"DATAPROTECTION_API_KEY": read_only}, "preview --refresh --expect-no-changes"),
    ]
    codes: list[int] = []
    for program, environment, command in commands:
        stack.write(program)
        stack.set_environment(**environment)
        process = stack.start(*command.split())
        stack.finish(process)
        codes.append(process.returncode)
    assert [0, 7, 1, 0, 1, 1, 0, 0] == codes
    nobodys = subprocess.run(
        ["pulumi", "preview", "--stack", "nobodys", "--non-interactive"],
        cwd=tmp_path,
        env=stack.environment,
        capture_output=True,
        timeout=HANG,
        check=False,
    )
    documented = re.findall(r"^\| (\d) \| ", (GUIDES / "pipelines.md").read_text(), re.MULTILINE)
    assert {*documented} == {str(code) for code in (*codes, nobodys.returncode)}


def test_a_detailed_preview_hides_the_key_and_secret_members_and_the_file_of_calls_does_not(
    stack: Stack, emulator: Emulator, tmp_path: Path
) -> None:
    file = tmp_path / "calls.json"
    stack.set_environment(DATAPROTECTION_API_KEY=None, PULUMI_DEBUG_GRPC=str(file))
    stack.configure("apiKey", emulator.api_key, secret=True)
    stack.write(
        """
        members = pulumi.Output.secret({"res-contoso-user-12": "Gold"})
        ProtectionSet("people", tenant_id="tenant-contoso", assignments=members)
        """
    )
    preview = stack.preview("--diff")
    assert {"people": "create"} == preview.steps
    private = (emulator.api_key, "user-12")
    assert [True, True] == [text in file.read_text() for text in private]
    assert [False, False] == [text in preview.text for text in private]


AIR_GAPPED = "guides/air-gapped.md"
NOWHERE = "http://127.0.0.1:9"


def test_a_proxy_in_lower_case_breaks_pulumi_without_no_proxy(stack: Stack) -> None:
    stack.write(PROTECT.format("Gold"))
    stack.set_environment(HTTPS_PROXY=NOWHERE, HTTP_PROXY=NOWHERE, ALL_PROXY=NOWHERE)
    assert {"wei": "create"} == stack.preview().steps
    for variable in ("https_proxy", "http_proxy", "grpc_proxy"):
        stack.set_environment(**{variable: NOWHERE})
        preview = stack.preview()
        assert preview.failed
        assert "Resource monitor has terminated" in preview.text
        stack.set_environment(**{variable: None})
    *_, line = blocks(AIR_GAPPED, "sh")
    stack.set_environment(**dict(word.split("=") for word in line.split()[1:]), HTTPS_PROXY=NOWHERE)
    assert {"wei": "create"} == stack.up().steps


def test_the_guides_have_the_versions_extras_and_programs() -> None:
    package = metadata.metadata("pulumi-dataprotection")
    needs = {
        requirement.name: requirement for requirement in map(Requirement, metadata.requires(package["Name"]) or ())
    }
    sdk, installer = needs["pulumi"].specifier, (TOOLS / "install.py").read_text()
    minimum = ".".join(re.findall(r"\d+", re.findall(r"^MINIMUM = Version\((.*)\)", installer, re.MULTILINE)[0])) + ".0"
    upgrading = dict(re.findall(r"^\| (.*) \| ([><].*) \|$", (GUIDES / "upgrading.md").read_text(), re.MULTILINE))
    assert package["Requires-Python"] == upgrading["Python"]
    assert sdk == SpecifierSet(upgrading["the package `pulumi`"])
    assert f">={minimum}" == upgrading["the command `pulumi`"]

    text = (DOCS / AIR_GAPPED).read_text()
    assert f"{minimum} or newer" in text
    assert {*package.get_all("Provides-Extra", [])} == {*re.findall(r"pulumi-dataprotection\[(\w+)\]", text)}
    programs = re.findall(r"^PROGRAMS = \((.*)\)", installer, re.MULTILINE)[0].replace('"', "").split(", ")
    assert ", ".join(f"`{program}`" for program in programs) in " ".join(text.split())


def test_the_pickle_of_a_newer_python_is_no_change(stack: Stack) -> None:
    declared = """
Org("fabrikam", external_id="crm-1042", name="Fabrikam")
Protection("wei", tenant_id="tenant-contoso", resource="res-contoso-user-12", policy="Gold")
ProtectionSet("people", tenant_id="tenant-contoso", resources=["res-contoso-user-13"], policy="Gold")
BackupRun("run", tenant_id="tenant-contoso", job_id="job-contoso-01", wait=False)
ArchiveDeletion("old", tenant_id="tenant-contoso", archive_id="archive-contoso-01", reason="moved")
"""
    stack.deploy(declared)
    before = stack.resources()
    # The protocol of Python 3.14.
    newer = f"import pickle\npickle.DEFAULT_PROTOCOL = 5\n{declared}"
    stack.write(newer)
    assert {} == stack.preview("--refresh", "--expect-no-changes").steps
    stack.write(newer.replace("Gold", "Silver"))
    assert {"wei": "update", "people": "update"} == stack.up().steps
    after = stack.resources()
    assert before["wei"]["inputs"]["__provider"] != after["wei"]["inputs"]["__provider"]


def pulumi_commands() -> dict[str, set[str]]:
    """Return the commands of Pulumi in the blocks and sentences of the documents, with the options of each."""
    found: dict[str, set[str]] = {}
    for path in [*GUIDES.glob("*.md"), DOCS / "errors.md"]:
        text = path.read_text()
        lines = blocks(str(path.relative_to(DOCS)), "sh")
        for command in re.findall(
            r"\bpulumi [a-z][^|#`\n]*", "\n".join([*lines, *re.findall(r"`(pulumi [^`]+)`", text)])
        ):
            words = command.split()
            name = [*takewhile(lambda word: re.fullmatch("[a-z]+", word), words)]
            found.setdefault(" ".join(name), set()).update(word for word in words if word.startswith("--"))
    return found


@pytest.mark.engine
def test_pulumi_has_the_commands_and_options_that_the_guides_name() -> None:
    commands = pulumi_commands()
    assert {"pulumi up", "pulumi preview", "pulumi state delete", "pulumi stack export"} <= commands.keys()
    for command, options in commands.items():
        ended = run_process([*command.split(), "--help"], check=True)
        # Some have another name there, and this name as an alias.
        usage = ended.stdout.partition("\nUsage:")[2].partition("\nFlags:")[0]
        assert command.rpartition(" ")[2] in re.findall(r"\w+", usage), command
        assert set() == {option.partition("=")[0] for option in options} - {*re.findall(r"--[\w-]+", ended.stdout)}


def test_a_refresh_uses_the_config_of_the_last_up_and_another_profile_is_no_write(
    stack: Stack, emulator: Emulator
) -> None:
    stack.set_environment(DATAPROTECTION_API_KEY=None)
    stack.configure("apiKey", emulator.api_key, secret=True)
    stack.write(PROTECT.format("Gold"))
    stack.up()
    stack.configure("apiKey", "another-key", secret=True)
    assert (False, True) == (stack.refresh().failed, stack.preview("--refresh").failed)

    stack.use_profile("customer")
    stack.write(PROTECT.format('Gold", profile="customer'))
    emulator.clear_requests()
    assert {"wei": "update"} == stack.up().steps
    assert [] == emulator.writes()
