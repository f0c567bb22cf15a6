"""Plots as SVG that stands in a page: its ink is the page's, so it does for light and dark."""

import io
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from kibitz.lab.report.figures import QUARTERS, Worth
from kibitz.lab.report.gather import Found
from kibitz.lab.report.words import ORDINALS

INK = "#010203"  # becomes the page's own
COLOURS = ("#2a78c2", "#d9792b", "#3d9a57", "#b5468c", "#8a6fd1", "#8d8a3a")
SIZE = (5.2, 3.1)  # inches: legible on a phone, two side by side on a desk
MOST_CARDS = 24  # in one plot; of more, the best and the worst
BINS = 24


def plots(found: Sequence[Found]) -> dict[str, str]:
    """Each plot by what it shows, in the order of the page."""
    drawn = {
        "Seats: share of victories, from whoever begins": _seats(found),
        "Minutes at the table": _spread(found, "minutes", "minutes"),
        "How far ahead the winner is": _spread(found, "margin", "points"),
        "Who leads wins": _leaders(found),
        "When the match is decided": _spread(found, "decided", "part of the match"),
        "Choices at a decision": _choices(found),
    }
    if any(one.duels for one in found):
        drawn["Skill: one level at a table of another"] = _duels(found)
    return drawn


def card_plots(found: Found) -> dict[str, str]:
    """What cards are worth, a plot for each place."""
    by_place: dict[str, list[Worth]] = {}
    for worth in found.figures.cards:
        by_place.setdefault(worth.place, []).append(worth)
    name = found.variant.name
    return {p: _cards(f"{name} {p}", some) for p, some in by_place.items() if len(some) > 1}


def _figure(size: tuple[float, float] = SIZE) -> tuple[Any, Any]:
    from matplotlib.figure import Figure  # noqa: PLC0415  slow to import, and only needed here

    figure = Figure(figsize=size, layout="constrained")
    figure.patch.set_alpha(0)
    axes = figure.add_subplot()
    axes.patch.set_alpha(0)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(INK)
    axes.tick_params(colors=INK, labelsize=9)
    axes.grid(True, axis="y", color="#80808055", linewidth=0.6)
    axes.set_axisbelow(True)
    return figure, axes


def _svg(figure: Any, salt: str) -> str:
    """The drawing alone; ids of two drawings on one page differ."""
    from matplotlib import rc_context  # noqa: PLC0415

    file = io.StringIO()
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": salt}):
        figure.savefig(file, format="svg", metadata={"Date": None})
    svg = file.getvalue()
    svg = svg[svg.index("<svg") :].replace(INK, "currentColor")
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.S)
    svg = re.sub(r' id="[A-Za-z][\w.]*?_\d+"', "", svg)  # of groups, which nobody refers to
    return re.sub(r'(<svg[^>]*?) height="[^"]*"([^>]*?) width="[^"]*"', r"\1\2", svg)


def _finish(figure: Any, axes: Any, found: Sequence[Found], salt: str, across: str, up: str) -> str:
    axes.set_xlabel(across, color=INK, fontsize=9)
    axes.set_ylabel(up, color=INK, fontsize=9)
    if len(found) > 1:
        legend = axes.legend(fontsize=8, frameon=False, labelcolor=INK)
        legend.set_alpha(0)
    return _svg(figure, salt)


def _apart(i: int, n: int) -> float:
    """Where the i-th of n variants stands beside the others."""
    return (i - (n - 1) / 2) * 0.7 / n


def _seats(found: Sequence[Found]) -> str:
    figure, axes = _figure()
    for i, one in enumerate(found):
        seats, colour = one.figures.seats, COLOURS[i % len(COLOURS)]
        at = [position + _apart(i, len(found)) for position in range(len(seats))]
        values = [100 * seat.value for seat in seats]
        errors = [
            [100 * (seat.value - seat.low) for seat in seats],
            [100 * (seat.high - seat.value) for seat in seats],
        ]
        axes.errorbar(at, values, errors, fmt="o", color=colour, capsize=3, label=one.variant.name)
        axes.hlines(100 / len(seats), -0.4, len(seats) - 0.6, color=colour, linestyle=":", lw=1)
    most = max(len(one.figures.seats) for one in found)
    axes.set_xticks(range(most), ORDINALS[:most])
    axes.set_ylim(bottom=0)
    return _finish(figure, axes, found, "seats", "to play", "% of victories")


def _spread(found: Sequence[Found], what: str, across: str) -> str:
    figure, axes = _figure()
    values = [one.figures.raw[what] for one in found]
    low = min(float(np.quantile(some, 0.0)) for some in values)
    high = max(float(np.quantile(some, 0.995)) for some in values)
    whole = all(np.issubdtype(some.dtype, np.integer) for some in values)
    bins: Any = np.linspace(low, max(high, low + 1e-9), BINS + 1)
    if whole:
        step = max(1, round((high - low) / BINS))
        bins = np.arange(low - 0.5, high + step + 0.5, step)
    for i, (one, some) in enumerate(zip(found, values, strict=True)):
        share = np.full(len(some), 100 / len(some))
        axes.hist(
            some, bins, weights=share, color=COLOURS[i % len(COLOURS)], label=one.variant.name,
            **({"histtype": "step", "linewidth": 1.6} if len(found) > 1 else {"alpha": 0.85}),
        )  # fmt: skip
    return _finish(figure, axes, found, what, across, "% of matches")


def _leaders(found: Sequence[Found]) -> str:
    figure, axes = _figure()
    for i, one in enumerate(found):
        told = [one.figures.leader_wins[part] for part in QUARTERS]
        at = [100 * part + 4 * _apart(i, len(found)) for part in QUARTERS]
        axes.errorbar(
            at, [100 * t.value for t in told],
            [[100 * (t.value - t.low) for t in told], [100 * (t.high - t.value) for t in told]],
            fmt="o-", color=COLOURS[i % len(COLOURS)], capsize=3, label=one.variant.name,
        )  # fmt: skip
    axes.set_ylim(0, 100)
    axes.set_xticks([100 * part for part in QUARTERS])
    return _finish(figure, axes, found, "leaders", "% of the match played", "% won by the leader")


def _choices(found: Sequence[Found]) -> str:
    figure, axes = _figure()
    most = 2
    for i, one in enumerate(found):
        counts = one.figures.raw["choices"]
        share = 100 * counts / counts.sum()
        most = max(most, int(np.searchsorted(np.cumsum(share), 99)) + 1)
        at = np.arange(len(share)) + _apart(i, len(found))
        colour = COLOURS[i % len(COLOURS)]
        axes.bar(at, share, 0.8 / len(found), color=colour, label=one.variant.name)
    axes.set_xlim(0.3, most + 0.7)
    return _finish(figure, axes, found, "choices", "actions to choose from", "% of actions")


def _duels(found: Sequence[Found]) -> str:
    figure, axes = _figure()
    names = [f"{duel.strong}\nat {duel.weak}" for duel in found[0].duels]
    for i, one in enumerate(found):
        told, colour = one.duels, COLOURS[i % len(COLOURS)]
        at = [n + _apart(i, len(found)) for n in range(len(told))]
        values = [100 * duel.share.value for duel in told]
        errors = [
            [100 * (duel.share.value - duel.share.low) for duel in told],
            [100 * (duel.share.high - duel.share.value) for duel in told],
        ]
        axes.bar(at, values, 0.7 / len(found), color=colour, label=one.variant.name, alpha=0.85)
        axes.errorbar(at, values, errors, fmt="none", ecolor=INK, capsize=3)
        for x, duel in zip(at, told, strict=True):
            half = 0.35 / len(found)
            axes.hlines(100 * duel.fair, x - half, x + half, color=INK, linestyle=":")
    axes.set_xticks(range(len(names)), names)
    axes.set_ylim(0, 100)
    return _finish(figure, axes, found, "duels", "dotted: if all were equal", "% won")


def _cards(salt: str, worths: Sequence[Worth]) -> str:
    ranked = sorted(worths, key=lambda worth: worth.worth.value)
    if len(ranked) > MOST_CARDS:
        ranked = ranked[: MOST_CARDS // 2] + ranked[-MOST_CARDS // 2 :]
    figure, axes = _figure((SIZE[0], 0.9 + 0.2 * len(ranked)))
    axes.grid(False)
    axes.axvline(0, color=INK, linewidth=0.8)
    at, values = range(len(ranked)), [worth.worth.value for worth in ranked]
    axes.errorbar(
        values, at, xerr=[worth.worth.error for worth in ranked], fmt="o", color=COLOURS[0],
        capsize=2, markersize=4,
    )  # fmt: skip
    axes.set_yticks(at, [worth.card for worth in ranked])
    return _finish(figure, axes, (), f"cards {salt}", "points a round, more than without it", "")
