"""The page of a report: one file without requests, for the screen, for print, and for a keyboard."""

from __future__ import annotations

import base64
from functools import partial
from hashlib import sha256
from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from pulumi_dataprotection.core.drift import Status
from pulumi_dataprotection.fleet.report.charts import bar, trend
from pulumi_dataprotection.fleet.report.model import Report
from pulumi_dataprotection.fleet.report.order import customers_by_need, licence_use, short_customers, stacks_with_drift

__all__ = ["as_html"]


def as_html(report: Report) -> str:
    """Return the page of a report. All names are text in it, whatever they hold."""
    css, script = _template("page.css"), _template("page.js")
    environment = Environment(
        loader=FunctionLoader(_template),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    page = environment.get_template("page.html").render(
        report=report,
        total=report.counts,
        customers=customers_by_need(report.customers),
        short=len(short_customers(report)),
        differing=stacks_with_drift(report),
        points=[*report.history, report.point],
        statuses=[*map(str, Status)],
        number=_number,
        licence_use=licence_use,
        bar=partial(bar, with_states=report.with_states),
        trend=trend,
        policy=_policy(css, script),
        css=Markup(css),  # noqa: S704 - our own file
        script=Markup(script),  # noqa: S704 - our own file
    )
    return page + "\n"


def _policy(css: str, script: str) -> str:
    """Return the policy of the page: its own style and its own script only, and no request."""
    return (
        f"default-src 'none'; style-src '{_hash(css)}'; script-src '{_hash(script)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(sha256(text.encode()).digest()).decode()


def _template(name: str) -> str:
    return files(__package__ or "").joinpath("templates", name).read_text(encoding="utf-8")


def _number(value: int | None) -> str:
    return "" if value is None else f"{value:,}"
