"""One page with all of it; nothing is fetched from anywhere."""

import re
from collections.abc import Iterable, Sequence
from html import escape

from kibitz.games import find
from kibitz.lab.report.gather import Found
from kibitz.lab.report.plots import card_plots, plots
from kibitz.lab.report.rules import RuleFigures
from kibitz.lab.report.table import in_words, rows
from kibitz.lab.report.words import percent, summary, where

STYLE = """
:root { color-scheme: light dark; --ground: #fbf9f4; --ink: #26221d; --faint: #6d665c;
  --line: #ddd6c8; --bar: #2a78c2; --real: #b3541e; }
@media (prefers-color-scheme: dark) { :root { --ground: #1b1a18; --ink: #ece7dd; --faint: #a49c8f;
  --line: #3b3833; --bar: #5b9bdb; --real: #f0a06a; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 68rem; padding: 1rem; background: var(--ground);
  color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
h1 { margin: .5rem 0 0; font-size: 1.7rem; } h2 { margin: 2.2rem 0 .5rem; font-size: 1.25rem; }
h3 { margin: 1rem 0 .3rem; font-size: 1rem; }
p.note, figcaption, .faint { color: var(--faint); font-size: .875rem; }
li { margin: .3rem 0; max-width: 46rem; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr));
  gap: 1.2rem; align-items: start; }
figure { margin: 0; } figure svg { display: block; width: 100%; height: auto; }
figcaption { color: var(--ink); font-weight: 600; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .7rem .3rem 0; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: top; }
td.number, th.number { text-align: right; } .number, .id { white-space: nowrap; }
.real { color: var(--real); font-weight: 600; }
.bar { display: inline-block; height: .6rem; background: var(--bar); border-radius: 2px; }
.never td { color: var(--real); }
details { margin: .4rem 0; } summary { cursor: pointer; }
"""
NOTES = """Minutes are an estimate: 2 seconds for each action, 1.5 for each time that the choices
double (Hick’s law), 45 for each round to deal and score. Shares come with 95 % intervals. Who leads
is looked at when a round ends. Bots that search think for 400 simulations a move, so that a report
is the same on every machine. How much the deal explains is measured with bots that vary their play
(easy), each deal four times."""
ON_CARDS = """What seats with the card scored in a round, compared with seats without it. Having a
card and scoring can have a common cause: a card that goes with victory need not bring it."""
ON_RULES = """“Came up” counts where the game’s source cites the rule: a branch that was entered, a
line that was run, or a function that was called. “Forbids” is the share of decisions at which the
rule forbids something with a card that the seat has, or without one. Rules of what the cards and
places are always hold."""


def page(found: Sequence[Found], *, compared: bool = False) -> str:
    """The page; `compared`: two variants, and what is different."""
    game = find(found[0].variant.setup.game)
    title = f"{game.identity.title}: a report"
    body = [
        f"<h1>{escape(title)}</h1>",
        *(f'<p class="note">{escape(_played(one))}</p>' for one in found),
    ]
    figures = [_table(found), "<h2>In pictures</h2>", _plots(plots(found).items())]
    if len(found) == 1:
        (only,) = found
        body += ["<h2>In words</h2>", _list(summary(only)), "<h2>In numbers</h2>", *figures]
        body += [*_cards(only), *_rules(only)]
    else:
        if compared:
            body += ["<h2>What is different</h2>", _list(in_words(found))]
        body += ["<h2>Side by side</h2>", *figures, "<h2>Each by itself</h2>"]
        for one in found:
            inside = "".join([_list(summary(one)), *_cards(one), *_rules(one)])
            name = escape(one.variant.name)
            body.append(f"<details><summary>{name}</summary>{inside}</details>")
    body += ["<h2>How it was counted</h2>", f'<p class="note">{escape(NOTES)}</p>']
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head>\n<body>"
        + "\n".join(body)
        + "</body></html>\n"
    )


def _played(found: Found) -> str:
    setup, game = found.variant.setup, find(found.variant.setup.game)
    options = game.written(game.settings(setup.players, dict(setup.options)))
    told = ", ".join(f"{name} {value}" for name, value in options.items())
    bots = " and ".join(dict.fromkeys(setup.bots))
    return (
        f"{found.variant.name}: {found.figures.matches:,} matches of {game.identity.title} with "
        f"{setup.players} × {bots}{'; ' + told if told else ''}; seed {setup.seed}."
    )


def _list(sentences: Iterable[str]) -> str:
    return "<ul>" + "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences) + "</ul>"


def _table(found: Sequence[Found]) -> str:
    heads = [one.variant.name for one in found] + (["difference"] if len(found) == 2 else [])
    head = "".join(f'<th class="number">{escape(name)}</th>' for name in heads)
    lines = []
    for row in rows(found):
        cells = [f'<td class="number">{row.cell(i)}</td>' for i in range(len(found))]
        if len(found) == 2:
            more, real = row.difference
            style = "number real" if real else "number faint"
            cells.append(f'<td class="{style}">{more}</td>')
        lines.append(f"<tr><td>{escape(row.name)}</td>{''.join(cells)}</tr>")
    return f'<div class="wide"><table><tr><th></th>{head}</tr>{"".join(lines)}</table></div>'


def _plots(drawn: Iterable[tuple[str, str]]) -> str:
    figures = (
        f'<figure role="img" aria-label="{escape(title)}"><figcaption>{escape(title)}</figcaption>'
        f"{svg}</figure>"
        for title, svg in drawn
    )
    return f'<div class="plots">{"".join(figures)}</div>'


def _cards(found: Found) -> list[str]:
    drawn, game = card_plots(found), find(found.variant.setup.game)
    if not drawn:
        return []
    titled = [(where(game, place), svg) for place, svg in drawn.items()]
    return [
        "<h2>What cards are worth</h2>",
        f'<p class="note">{escape(ON_CARDS)}</p>',
        _plots(titled),
    ]


def _rules(found: Found) -> list[str]:
    if not found.rules:
        return []
    note = f"Counted in {found.rules_counted_in} matches. {ON_RULES}"
    lines = "".join(_rule(rule) for rule in found.rules)
    return [
        "<h2>How often each rule bites</h2>",
        f'<p class="note">{escape(note)}</p>',
        '<div class="wide"><table><tr><th>rule</th><th class="number">came up, a match</th>'
        '<th class="number">in matches</th><th class="number">forbids</th><th></th></tr>'
        f"{lines}</table></div>",
    ]


def _rule(rule: RuleFigures) -> str:
    style = ' class="never"' if rule.never else ""
    text = re.sub(r" ?\{[^}]*\}|[*`]", "", rule.text)
    short = text if len(text) <= 90 else text[:88].rsplit(" ", 1)[0] + " …"
    often = "always holds" if rule.always else "never" if rule.never else f"{rule.per_match:,.1f}"
    matches = "" if rule.always or rule.never else percent(rule.matches)
    bar = f'<span class="bar" style="width:{4 * rule.forbids:.2f}rem"></span> '
    forbids = f"{bar}{percent(rule.forbids)}" if rule.forbids else ""
    return (
        f'<tr{style}><td class="id">{rule.id}</td><td class="number">{often}</td>'
        f'<td class="number">{matches}</td><td class="number">{forbids}</td>'
        f'<td title="{escape(text)}">{escape(short)}</td></tr>'
    )
