"""README and documents name the parts of the package."""

import re
from importlib import metadata

import pytest

from pulumi_dataprotection.spec import BY_ID
from support import ROOT
from support.functions.names import PUBLIC
from support.pages import DOCS

README = (ROOT / "README.md").read_text(encoding="utf-8")
ALL = README + "".join(page.read_text(encoding="utf-8") for page in sorted(DOCS.rglob("*.md")))


def rows(page: str, pattern: str) -> list[str]:
    return re.findall(pattern, (DOCS / page).read_text(encoding="utf-8"), re.MULTILINE)


def test_the_program_of_the_readme_is_the_quickstart() -> None:
    program = README.split("```python\n")[1].split("```")[0]
    assert program == (ROOT / "examples/quickstart/__main__.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PUBLIC)
def test_the_documents_name_each_public_name(name: str) -> None:
    assert f"`{name}`" in ALL


@pytest.mark.parametrize("name", sorted({*BY_ID, *PUBLIC} - {f"{name}_output" for name in PUBLIC}))
def test_each_public_name_and_each_operation_stands_in_the_changelog(name: str) -> None:
    assert f"`{name}`" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), f"add {name} to CHANGELOG.md"


def test_each_example_is_shown() -> None:
    programs = [str(path.relative_to(ROOT)) for path in sorted((ROOT / "examples").rglob("__main__.py"))]
    assert programs == sorted(rows("examples.md", r'^--8<-- "(.*)"$'))


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "SECURITY.md", "STYLE.md", "CHANGELOG.md"])
def test_each_link_leads_to_a_file(page: str) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", (ROOT / page).read_text(encoding="utf-8"))
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_security_fixes_are_for_the_version_of_the_package() -> None:
    series = ".".join(metadata.version("pulumi-dataprotection").split(".")[:2])
    assert f"| the newest {series}.x | yes |" in (ROOT / "SECURITY.md").read_text(encoding="utf-8")


def test_the_page_on_style_has_the_eleven_rules_on_one_page() -> None:
    lines = (ROOT / "STYLE.md").read_text(encoding="utf-8").splitlines()
    assert [str(number) for number in range(1, 12)] == [line.partition(".")[0] for line in lines if line[:1].isdigit()]
    assert len(lines) <= 70
