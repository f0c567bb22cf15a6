"""The table and the score sheet, drawn in the terminal from a view alone."""

from collections.abc import Iterable

from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from kibitz.cli.inks import inked
from kibitz.engine.log import Event
from kibitz.engine.match import Match
from kibitz.engine.tabletop import Look, Spot
from kibitz.engine.view import View, ZoneView
from kibitz.engine.zones import Zone
from kibitz.texts.phrasebook import Phrasebook

LEAVE = frozenset(["quit", "q", "exit"])


def asked(console: Console, prompt: str) -> str:
    """What is typed where nothing is lost by leaving; whoever wants to leave does."""
    answer = console.input(f"{prompt} > ").strip()
    if answer.lower() in LEAVE:
        raise EOFError
    return answer


def draw_table(console: Console, words: Phrasebook, view: View) -> None:
    """Everyone's zones, then the middle, then the viewer's own."""
    console.print()
    title = Text(words.say("title"), style="bold")
    title.append(f"  {words.table('round', n=str(view.round))}", style="dim")
    parts: list[RenderableType] = []
    for seat in range(view.players):
        if seat != view.seat:
            parts.append(_seat(words, view, seat))
    parts.append(_row(Text(words.table("centre"), style="bold"), _zones(words, view, None)))
    if view.seat is not None:
        parts.append(_seat(words, view, view.seat))
    console.print(Panel(Group(*parts), title=title, title_align="left", border_style="green"))


def _seat(words: Phrasebook, view: View, seat: int) -> RenderableType:
    name = Text(f"{'▶' if seat in view.to_act else ' '} {words.names[seat]}", style="bold")
    name.append(f"  {view.scores[seat]}", style="cyan")
    for marker in words.markers(view, seat):
        name.append(f"\n  {marker}", style="italic")
    return _row(name, _zones(words, view, seat))


def _row(head: Text, body: Text) -> RenderableType:
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(width=16, no_wrap=True, overflow="ellipsis")
    grid.add_column()
    grid.add_row(head, body)
    return grid


def _zones(words: Phrasebook, view: View, owner: int | None) -> Text:
    """The zones of a seat, or of the table, each as one run of cards."""
    game = words.game
    lines: dict[str, list[Text]] = {}
    for zone in game.layout.zones.at(view.players):
        place = game.tabletop.places[zone.family.name]
        if zone.owner != owner or place.look is Look.NONE:
            # A trick is looked at as a whole, so it lies in the middle, seat by seat.
            if not (owner is None and place.look is Look.TRICK and place.spot is Spot.CENTRE):
                continue
        elif owner is not None and place.look is Look.TRICK:
            continue
        shown = _zone(words, zone, view.zones[zone.name], place.look)
        if shown is not None:
            lines.setdefault(zone.family.name, []).append(shown)
    text = Text()
    for family, runs in lines.items():
        if text:
            text.append("\n")
        text.append(words.table("zone", zone=words.say(f"zones.{family}")) + " ", style="dim")
        text.append_text(Text("   ").join(runs))
        if tally := words.tally(view, family, owner):
            text.append(f"   {tally}", style="cyan")
    if owner is None:
        for fact in words.facts(view):
            text.append("\n" if text else "")
            text.append(fact, style="italic")
    return text


def _zone(words: Phrasebook, zone: Zone, seen: ZoneView, look: Look) -> Text | None:
    """One zone: its cards as far as they are seen, and how many there are."""
    if not seen.size and (zone.part is not None or zone.owner is not None or look is not Look.PILE):
        return None
    run = Text()
    if zone.part is not None and zone.owner is None:
        run.append(f"{zone.part} ", style="dim")
    if look is Look.TRICK and zone.owner is not None:
        run.append(f"{words.names[zone.owner]} ", style="dim")
    run.append_text(inked(words.game, seen.cards))
    if seen.size > len(seen.cards):
        how_many = (
            words.table("cards", n=str(seen.size)) if seen.size != 1 else words.table("card1")
        )
        run.append(f" ({how_many})" if seen.cards else how_many, style="dim")
        if not zone.family.is_pile and seen.known:
            run.append(" ")
            known = inked(words.game, seen.known)
            known.stylize("dim")
            run.append_text(known)
    return run if run else Text("—", style="dim")


def draw_sheet(
    console: Console, words: Phrasebook, match: Match, round_: int, events: Iterable[Event]
) -> None:
    """The score of a round, with the cards that each part came from."""
    parts = words.game.layout.parts
    cards = {(event.seat, event.word): event.cards for event in events if event.name == "scored"}
    grid = Grid(title=words.table("round_over", n=str(round_)), title_justify="left")
    grid.add_column(words.table("player"))
    for part in parts:
        grid.add_column(words.say(f"score.{part}"))
    grid.add_column(words.table("total"), justify="right", style="bold")
    for seat in range(match.players):
        gained = match.sheet[round_ - 1][seat]
        cells = []
        for part in parts:
            cell = Text(f"{gained[part]:+d}")
            if came_from := cards.get((seat, part)):
                cell.append("  ").append_text(inked(words.game, came_from))
            cells.append(cell)
        total = sum(sum(row[seat].values()) for row in match.sheet[:round_])
        grid.add_row(words.names[seat], *cells, str(total))
    console.print(grid)


def draw_end(console: Console, words: Phrasebook, match: Match) -> None:
    """Who has won."""
    key = "winner" if len(match.winners) == 1 else "winners"
    text = f"{words.table('over')} {words.table(key, names=words.seats(match.winners))}"
    console.print(Text(text, style="bold green"))
