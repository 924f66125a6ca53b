"""Adds the pages of the functions to the navigation of the site: a hook of MkDocs, which mkdocs.yml names."""

from pathlib import Path
from typing import Any, cast

from mkdocs.config.defaults import MkDocsConfig

__all__ = ["on_config"]


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add the pages after the index of the section."""
    pages = sorted(Path(config.docs_dir, "functions").glob("*.md"))
    for section in cast("list[Any]", config["nav"]):
        if isinstance(section, dict) and "Functions" in section:
            section["Functions"] += [f"functions/{page.name}" for page in pages if page.name != "index.md"]
    return config
