"""The pages as a site, as `make docs` builds it."""

import inspect
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import pulumi_dataprotection
from support import ROOT, run_process
from support.pages import DOCS, PAGES

pytestmark = pytest.mark.thorough

# A reader may follow a link to another site; a page may not load files from there.
LOADED = re.compile(r"<(?:script|img|iframe)[^>]* src=\"?([^\s\">]+)|<link[^>]* href=\"?([^\s\">]+)")


SEARCHED = {
    "rate limit": {"install.html", "errors.html", "faults.html", "guides/many-stacks.html"},
    "offboard": {"guides/offboarding.html"},
    "licence": {"functions/get-licences.html", "emulator.html", "guides/offboarding.html"},
    "mock": {"testing.html"},
    "Automation API": {"guides/automation-api.html"},
    "auto-protection": {"guides/portal-auto-protection.html"},
    "matrix": {"guides/many-stacks.html"},
}
"""The pages that somebody expects who searches for these words."""


def build(folder: Path) -> "subprocess.CompletedProcess[str]":
    """Build the site of a folder."""
    return run_process(
        ["mkdocs", "build", "--strict", "--site-dir", str(folder / "site")],
        cwd=folder,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "true"},
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a copy of the sources of the site."""
    shutil.copytree(DOCS, tmp_path / "docs")
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    for name in ("examples", "provider", "tools"):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


def listed(html: str, section: str) -> list[str]:
    """Return the names that a section of a page lists with their types."""
    text = html.partition(f'<h2 id="{section}"')[2].partition("<h2 ")[0]
    return re.findall(r"doc-section-item.*?<code>(?:<[^>]*>)?(\w+)<.*?\(<code>", text, re.DOTALL)


def pages_with(folder: Path, words: str) -> set[str]:
    """Return the pages of a site that the search finds for words: those with a word that begins with the last one."""
    index: dict[str, list[dict[str, str]]] = json.loads((folder / "search/search_index.json").read_text("utf-8"))
    pattern = re.compile(rf"\b{words}", re.IGNORECASE)
    return {
        part["location"].partition("#")[0]
        for part in index["docs"]
        if pattern.search(part["title"] + " " + re.sub("<[^>]*>", "", part["text"]))
    }


def marked(html: str) -> dict[str, str]:
    """Return whether a page calls each argument required, optional, or names its default."""
    text = html.partition('<h2 id="arguments"')[2].partition("<h2 ")[0]
    return dict(re.findall(r"<b><code>(\w+)</code></b>\s*\(<code>[^<]*</code>,\s*(\w+)", text))


def marks(name: str) -> dict[str, str]:
    """Return the same for the arguments of the code."""
    parameters = inspect.signature(getattr(pulumi_dataprotection, name)).parameters.values()
    words = {inspect.Parameter.empty: "required", None: "optional"}
    return {parameter.name: words.get(parameter.default, "default") for parameter in parameters}


def test_the_site_is_complete_searchable_and_loads_no_file_from_another_site(project: Path) -> None:
    ended = build(project)
    assert ended.returncode == 0, ended.stderr
    assert [] == [words for words, pages in SEARCHED.items() if not pages <= pages_with(project / "site", words)]
    site = {path: path.read_text(encoding="utf-8") for path in (project / "site").rglob("*.html")}
    loaded = {"".join(found) for text in site.values() for found in LOADED.findall(text)}
    assert [] == [address for address in sorted(loaded) if "//" in address]
    styled = re.findall(r"\.([a-z][\w-]+)", re.sub(r"/\*.*?\*/", "", (DOCS / "assets/pages.css").read_text("utf-8")))
    assert [] == [
        name for name in styled if not any(re.search(rf'class="[^"]*\b{name}\b', page) for page in site.values())
    ]
    for page in PAGES:
        html = site[project / "site" / page.path.relative_to(DOCS).with_suffix(".html")]
        results = "outputs" if page.kind == "resources" else "result"
        assert ("profile" in listed(html, "arguments")) == (page.name != "assign"), page
        assert listed(html, results) != [], page
        assert marks(page.name).items() <= marked(html).items(), page
        assert "pulumi.Input" not in html, page


def test_a_broken_link_fails_the_build(project: Path) -> None:
    page = project / "docs/previews.md"
    page.write_text(page.read_text(encoding="utf-8") + "[a](nowhere.md) [b](drift.md#nowhere)\n", encoding="utf-8")
    (project / "docs/forgotten.md").write_text("# Forgotten\n", encoding="utf-8")
    ended = build(project)
    told = [word for word in ("'nowhere.md'", "'drift.md#nowhere'", "forgotten.md") if word in ended.stderr]
    assert (1, ["'nowhere.md'", "'drift.md#nowhere'", "forgotten.md"]) == (ended.returncode, told), ended.stderr
