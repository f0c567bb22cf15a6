"""Nobody peeks: what a seat cannot see changes nothing that it gets."""

import random
from collections import Counter

from kibitz.contract import promise
from kibitz.contract.settings import Setting, wander
from kibitz.engine import border
from kibitz.engine.actions import Secrecy
from kibitz.engine.chance import seed_of_move
from kibitz.engine.match import Match
from kibitz.engine.view import View, cards_of
from kibitz.engine.zones import Sight, Zone

SPECTATOR = None
OFTEN = 40  # times that steps of one kind are looked at; planted mistakes show within five
MOST_UNSEEN = 12  # steps of a choice that others do not see
ATTEMPTS = 4  # to find a world in which a step shows a viewer the same cards


def redealt(match: Match, seat: int | None, seed: int) -> Match:
    """The same match with all that a seat cannot see dealt anew."""
    other = Match(match.game, match.state, match.settings, match.seed, None)
    low, high = seed_of_move(f"redeal {seed}", 0)
    border.redeal_at(other.state, 0, -1 if seat is None else seat, low, high)
    return other


def viewers(setting: Setting) -> list[int | None]:
    """All seats, and a spectator."""
    return [SPECTATOR, *range(setting.players)]


@promise
def no_view_changes_when_unseen_cards_are_redealt(setting: Setting) -> None:
    for n, (match, _, _) in enumerate(setting.walks(matches=30, steps=5)):
        for seat in viewers(setting):
            other = redealt(match, seat, n)
            assert other.view(seat) == match.view(seat), f"the view of {named(seat)} changes"
            if seat is not None:
                assert other.legal(seat) == match.legal(seat), (
                    f"what {named(seat)} may do depends on cards that it cannot see"
                )


def named(viewer: int | None) -> str:
    """A viewer in a message."""
    return "a spectator" if viewer is None else f"seat {viewer}"


@promise
def redeals_do_vary(setting: Setting) -> None:
    match = setting.match(seed=2)
    for n, _ in enumerate(wander(match, random.Random(2), 30)):
        for seat in viewers(setting):
            hidden = unseen(match.view(seat))
            deals = {redealt(match, seat, 100 * n + k).state["cards"].tobytes() for k in range(8)}
            assert len(deals) > 1 or sum(n > 0 for n in hidden.values()) < 2


def unseen(seen: View) -> dict[str, int]:
    """How many cards of each zone a viewer does not know."""
    return {z.name: z.size - len(z.cards) - len(z.known) for z in seen.zones.values()}


@promise
def a_redeal_does_not_depend_on_how_the_unseen_cards_lay(setting: Setting) -> None:
    """So what a search finds from redeals cannot depend on them either."""
    for n, (match, _, _) in enumerate(setting.walks(matches=30, steps=2)):
        for seat in viewers(setting):
            other = redealt(match, seat, 2 * n)
            assert redealt(other, seat, 2 * n + 1).state == redealt(match, seat, 2 * n + 1).state


@promise
def redeals_deal_every_unseen_card_as_likely(default: Setting) -> None:
    match = default.match(seed=4)
    for _ in wander(match, random.Random(4), 3):
        pass
    pool = hidden_cards(match, 0)
    zone = next(z for z in match.game.layout.zones.at(default.players) if z.name == "hand.1")
    times = 600
    counts = Counter(
        card
        for seed in range(times)
        for card in cards_of(redealt(match, 0, seed).state["cards"][0][zone.index])
        if card in pool
    )
    dealt = sum(counts.values())
    expected = dealt / len(pool)
    assert all(abs(counts[card] - expected) < 6 * expected**0.5 + 3 for card in pool)


def is_open(zone: Zone, seat: int | None) -> bool:
    """By its declaration alone: a second opinion on what the engine shows."""
    sight = zone.family.sight
    return sight is Sight.EVERYONE or (sight is Sight.OWNER and seat == zone.owner)


def hidden_cards(match: Match, seat: int) -> set[int]:
    """The cards of closed sets whose place this seat does not know."""
    record = match.state[0]
    known = set(cards_of(record["seen"])) | set(cards_of(record["known"][seat]))
    return {
        card
        for zone in match.game.layout.zones.at(match.players)
        if not zone.family.is_pile and not is_open(zone, seat)
        for card in cards_of(record["cards"][zone.index])
        if card not in known
    }


@promise
def views_do_not_tell_apart_what_a_viewer_could_not_tell_apart_before(setting: Setting) -> None:
    """Not only states: whole courses.

    In two worlds that look alike to a viewer, the same step of another seat must leave them looking
    alike, its line in the log included, unless it shows the viewer different cards.
    """
    compared: Counter[tuple[str, ...]] = Counter()
    rng = random.Random(1)
    for n, (match, actor, action) in enumerate(setting.walks(matches=100, steps=20)):
        kind = kind_of_step(match, actor, action)
        if compared[kind] < OFTEN:
            for viewer in viewers(setting):
                if viewer != actor:
                    worlds = (redealt(match, viewer, ATTEMPTS * n + k) for k in range(ATTEMPTS))
                    compared[kind] += any(
                        looks_alike(match, other, actor, action, viewer, rng) for other in worlds
                    )
    assert compared.total() > 0


def kind_of_step(match: Match, actor: int | None, action: str) -> tuple[str, ...]:
    """What is done, and what comes of it: what happens rarely is looked at as often as the rest."""
    verb, after = match.verb(action), taken(match, actor, action)
    names = {match.game.events.kinds[event.kind].name for event in after.done[0].events}
    return verb.name if verb else action, *sorted(names)


def looks_alike(
    match: Match, other: Match, actor: int | None, action: str, viewer: int | None,
    rng: random.Random,
) -> bool:  # fmt: skip
    """Take the step in both worlds; False if it shows the viewer different cards."""
    choose_unseen(other, actor, action, rng)
    alike = the_like_of(match, other, actor, action, rng)
    if alike is None:
        return False
    before = match.view(viewer)
    one, two = taken(match, actor, action), taken(other, actor, alike)
    if revealed(before, one.view(viewer)) != revealed(before, two.view(viewer)):
        return False
    said = f"after {action!r} of seat {actor}, {named(viewer)} can tell how unseen cards lie by "
    telling = difference(one.view(viewer), two.view(viewer))
    assert telling is None, f"{said}{telling}"
    lines = one.line(0, viewer), two.line(0, viewer)
    assert lines[0] == lines[1], f"{said}the log: {lines[0]}, or {lines[1]}"
    return True


def difference(one: View, two: View) -> str | None:
    """Where two views differ."""
    if one == two:  # as nearly always; to put them into plain values takes much longer
        return None
    a, b = one.data(), two.data()
    for name in a:
        if name not in ("zones", "fields") and a[name] != b[name]:
            return f"{name}: {a[name]}, or {b[name]}"
    for name in a["fields"]:
        if a["fields"][name] != b["fields"][name]:
            return f"the field {name!r}: {a['fields'][name]}, or {b['fields'][name]}"
    for zone, other in zip(a["zones"], b["zones"], strict=True):
        if zone != other:
            return f"the zone {zone['name']}"
    return None


def choose_unseen(other: Match, actor: int | None, action: str, rng: random.Random) -> None:
    """In another world a seat may not have chosen yet what nobody sees: it does so now."""
    for _ in range(MOST_UNSEEN):
        legal = [] if actor is None else other.legal(actor)
        unseen = [a for a in legal if (v := other.verb(a)) and v.secrecy is Secrecy.SEALED]
        if actor is None or action in legal or not unseen:
            return
        other.play(actor, rng.choice(unseen))


def the_like_of(
    match: Match, other: Match, actor: int | None, action: str, rng: random.Random
) -> str | None:
    """What looks the same to others in another world: the action itself, or one of its verb."""
    verb = match.verb(action)
    if actor is None or verb is None:
        return action
    legal = other.legal(actor)
    if verb.secrecy is not Secrecy.OPEN:
        like = [text for text in legal if other.verb(text) == verb]
        return rng.choice(like) if like else None
    return action if action in legal else None


def taken(match: Match, actor: int | None, action: str) -> Match:
    """A world in which a step has just been taken; the luck is the same in all."""
    world = Match(match.game, match.state, match.settings, "same", None)
    world.repeat(actor, action)
    return world


def revealed(before: View, after: View) -> Counter[tuple[str, str]]:
    """The cards that a viewer sees, or knows, where it did not before."""
    return known_places(after) - known_places(before)


def known_places(seen: View) -> Counter[tuple[str, str]]:
    """The cards whose place a viewer knows."""
    return Counter(
        (zone.name, card) for zone in seen.zones.values() for card in (*zone.cards, *zone.known)
    )


@promise
def nobody_knows_of_more_cards_than_lie_there(setting: Setting) -> None:
    zones = setting.match(0).game.layout.zones.at(setting.players)
    for match, _, _ in setting.walks(matches=30, steps=5):
        for seat in viewers(setting):
            seen = match.view(seat)
            for zone in zones:
                looked = seen.zones[zone.name]
                assert len(looked.cards) + len(looked.known) <= looked.size, (
                    f"{named(seat)} knows of more cards in {zone.name} than lie there"
                )
