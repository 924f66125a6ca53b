"""The pictures of a report's page, as inline SVG. They hold numbers and times only, and no name."""

from __future__ import annotations

from collections.abc import Sequence

import svg
from markupsafe import Markup, escape

from pulumi_dataprotection.core.coverage import Counts
from pulumi_dataprotection.fleet.report.parts import Point

__all__ = ["bar", "trend"]

_WIDTH = 100
_HEIGHT = 10
_TREND_WIDTH = 600
_TREND_HEIGHT = 160
_MARGIN = 34


def bar(counts: Counts, *, with_states: bool) -> Markup:
    """Draw the coverage as a bar: protected by code, protected in the portal, excluded, and unprotected.

    Args:
        counts: the coverage.
        with_states: whether policies of stacks are counted apart.
    """
    by_origin = [("code", "by code", counts.by_code), ("portal", "in the portal", counts.in_portal)]
    parts = [
        *(by_origin if with_states else [("code", "protected", counts.protected)]),
        ("excluded", "excluded", counts.excluded),
        ("bare", "not protected", counts.unprotected),
    ]
    elements: list[svg.Element] = [_title(", ".join(f"{number:,} {word}" for _, word, number in parts if number))]
    start = 0.0
    for name, _, number in parts:
        width = round(_WIDTH * number / counts.count, 2) if counts.count else 0
        if width:
            elements.append(svg.Rect(class_=[name], x=round(start, 2), y=0, width=width, height=_HEIGHT))
        start += width
    picture = svg.SVG(
        class_=["bar"],
        viewBox=svg.ViewBoxSpec(0, 0, _WIDTH, _HEIGHT),
        extra={"preserveAspectRatio": "none", "role": "img"},
        elements=elements,
    )
    return _markup(picture)


def trend(points: Sequence[Point]) -> Markup:
    """Draw the percentage of protected items as a line; at least two points.

    Args:
        points: the sums of the reports, in their order.
    """
    percents = [100 * point.protected / point.count if point.count else 100.0 for point in points]
    low = max(0, min(percents) - 1) // 5 * 5
    inner_width, inner_height = _TREND_WIDTH - 2 * _MARGIN, _TREND_HEIGHT - 2 * _MARGIN
    places = [
        (
            round(_MARGIN + inner_width * number / (len(points) - 1), 1),
            round(_TREND_HEIGHT - _MARGIN - inner_height * (percent - low) / (100 - low), 1),
        )
        for number, percent in enumerate(percents)
    ]
    first, last = points[0].at[:10], points[-1].at[:10]
    bottom, right = _TREND_HEIGHT - _MARGIN, _TREND_WIDTH - _MARGIN
    elements: list[svg.Element] = [
        _title(f"Protected items in percent, from {first} to {last}"),
        svg.Desc(text=str(escape(f"From {percents[0]:.1f} % to {percents[-1]:.1f} %, in {len(points)} reports"))),
        svg.Line(class_=["axis"], x1=_MARGIN, y1=_MARGIN, x2=right, y2=_MARGIN),
        svg.Line(class_=["axis"], x1=_MARGIN, y1=bottom, x2=right, y2=bottom),
        svg.Text(x=_MARGIN - 4, y=_MARGIN + 4, text="100", text_anchor="end"),
        svg.Text(x=_MARGIN - 4, y=bottom + 4, text=f"{low:g}", text_anchor="end"),
        svg.Text(x=_MARGIN, y=_TREND_HEIGHT - 12, text=str(escape(first))),
        svg.Text(x=right, y=_TREND_HEIGHT - 12, text=str(escape(last)), text_anchor="end"),
        svg.Path(class_=["line"], d=[svg.MoveTo(*places[0]), *(svg.LineTo(x, y) for x, y in places[1:])]),
        *(svg.Circle(class_=["point"], cx=x, cy=y, r=2.5) for x, y in places),
    ]
    picture = svg.SVG(
        class_=["trend"],
        viewBox=svg.ViewBoxSpec(0, 0, _TREND_WIDTH, _TREND_HEIGHT),
        extra={"role": "img"},
        elements=elements,
    )
    return _markup(picture)


def _title(text: str) -> svg.Element:
    # The library does not escape texts.
    return svg.Title(text=str(escape(text)))


def _markup(picture: svg.SVG) -> Markup:
    # In HTML, inline SVG needs no namespace.
    picture.xmlns = None
    return Markup(picture.as_str())  # noqa: S704 - only numbers and escaped texts
