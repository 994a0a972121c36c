"""Charts as SVG, drawn on the server: lines with a threshold, a table beside them."""

from collections.abc import Sequence
from dataclasses import dataclass, field

WIDTH, HEIGHT = 640, 200
SMALL_WIDTH, SMALL_HEIGHT = 300, 110
LEFT, RIGHT, TOP, BOTTOM = 56, 24, 12, 26
APART = 0.15
"""Of the height: lines that are never further apart are named by the legend only."""
ABOVE, BELOW = -7, 16

Points = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark at an axis: where, and what it says."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A word in the drawing, with a dot beside it if it names a single point."""

    x: float
    y: float
    label: str
    css: str = ""
    dot: float | None = None
    anchor: str = "start"


@dataclass(frozen=True, slots=True)
class Line:
    """A polyline with its label; `points` is SVG's own notation."""

    points: str
    css: str
    label: str


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar with what it says."""

    x: float
    y: float
    width: float
    height: float
    label: str
    css: str = "bar"


@dataclass(frozen=True, slots=True)
class Chart:
    """What the template `console/_chart.html` draws; `rows` stand beside it."""

    title: str
    lines: list[Line]
    x_ticks: list[Tick]
    y_ticks: list[Tick]
    threshold: float | None
    rows: list[tuple[str, ...]]
    heads: tuple[str, ...] = ()
    marks: list[Mark] = field(default_factory=list)
    bars: list[Bar] = field(default_factory=list)
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    bottom: int = HEIGHT - BOTTOM
    right: int = WIDTH - RIGHT


@dataclass(frozen=True, slots=True)
class Frame:
    """The drawing area: from 0 to `width` across, from `low` to `top` upwards."""

    width: float
    top: float = 1.0
    low: float = 0.0
    across: int = WIDTH
    upwards: int = HEIGHT

    def x(self, value: float) -> float:
        """Return where a value lies across, in units of the drawing."""
        room = self.across - LEFT - RIGHT
        return round(LEFT + value / (self.width or 1) * room, 1)

    def y(self, value: float) -> float:
        """Return where a value lies from the top, in units of the drawing."""
        share = (value - self.low) / ((self.top - self.low) or 1)
        return round(TOP + (1 - share) * (self.upwards - TOP - BOTTOM), 1)

    def line(self, points: Points, css: str, label: str) -> Line:
        """Return the polyline through points."""
        drawn = " ".join(f"{self.x(x)},{self.y(y)}" for x, y in points)
        return Line(drawn, css, label)


def days_chart(
    title: str,
    curves: Sequence[tuple[str, str, Points]],
    *,
    days: float,
    threshold: float | None = None,
    crossings: Sequence[tuple[float, str]] = (),
    rows: Sequence[tuple[str, ...]] = (),
    heads: tuple[str, ...] = (),
) -> Chart:
    """Return a chart of scores in [0, 1] over `days`.

    `curves` are (label, css class, points as (day, score)); `crossings` are the days
    at which one falls below the threshold, with a label.
    """
    frame = Frame(days)
    at = [
        _crossing(frame, day, threshold, label)
        for day, label in crossings
        if threshold is not None and day <= days
    ]
    return Chart(
        title=title,
        lines=[frame.line(points, css, label) for label, css, points in curves],
        x_ticks=[
            Tick(frame.x(days * part / 4), f"{days * part / 4:.3g}")
            for part in range(5)
        ],
        y_ticks=[Tick(frame.y(score), f"{score:g}") for score in QUARTERS],
        threshold=None if threshold is None else frame.y(threshold),
        rows=list(rows),
        heads=heads,
        marks=[*_names(frame, curves), *at],
    )


QUARTERS = (0, 0.25, 0.5, 0.75, 1)


def _names(frame: Frame, curves: Sequence[tuple[str, str, Points]]) -> list[Mark]:
    """Return the names of two curves where they are furthest apart."""
    if len(curves) != 2:
        return []
    (one, one_css, first), (two, two_css, second) = curves
    gaps = [abs(a[1] - b[1]) for a, b in zip(first, second, strict=True)]
    at = gaps.index(max(gaps))
    if gaps[at] < APART:
        return []
    x = frame.x(first[at][0])
    return [
        Mark(x, frame.y(first[at][1]) + ABOVE, one, one_css),
        Mark(x, frame.y(second[at][1]) + ABOVE, two, two_css),
    ]


def _crossing(frame: Frame, day: float, threshold: float, label: str) -> Mark:
    """Return the dot of a crossing, named at its left below the curve."""
    x, y = frame.x(day), frame.y(threshold)
    return Mark(x, y + BELOW, label, dot=y, anchor="end")


def bars_chart(
    title: str,
    values: Sequence[float | None],
    *,
    labels: Sequence[str],
    rows: Sequence[tuple[str, ...]],
    top: float | None = None,
) -> Chart:
    """Return a chart with a bar for each value, none where it is None.

    `rows` are (label, value as text); `top` is the end of the scale, the greatest
    value if not given.
    """
    known = [value for value in values if value is not None]
    low = min([0.0, *known])
    size = (SMALL_WIDTH, SMALL_HEIGHT)
    frame = Frame(len(values), top or max([1.0, *known]), low, *size)
    room = frame.x(1) - frame.x(0)
    bars = [
        _bar(frame, at, value, room, f"{rows[at][0]}: {rows[at][1]}")
        for at, value in enumerate(values)
        if value is not None
    ]
    last = len(labels) - 1
    return Chart(
        title=title,
        lines=[],
        x_ticks=[
            Tick(frame.x(at + 0.5), labels[at]) for at in sorted({0, last // 2, last})
        ],
        y_ticks=[Tick(frame.y(at), _scale(at, top)) for at in {low, 0, frame.top}],
        threshold=None,
        rows=list(rows),
        bars=bars,
        width=SMALL_WIDTH,
        height=SMALL_HEIGHT,
        bottom=SMALL_HEIGHT - BOTTOM,
        right=SMALL_WIDTH - RIGHT,
    )


def _bar(frame: Frame, at: int, value: float, room: float, label: str) -> Bar:
    zero, end = frame.y(0), frame.y(value)
    height = max(abs(zero - end), 1.5)  # a value of 0 is not a missing one
    return Bar(
        x=round(frame.x(at) + room * 0.15, 1),
        y=min(zero, end) if zero != end else zero - height,
        width=round(room * 0.7, 1),
        height=round(height, 1),
        label=label,
    )


def _scale(value: float, top: float | None) -> str:
    return f"{value * 100:.0f} %" if top == 1.0 else f"{value:.3g}"
