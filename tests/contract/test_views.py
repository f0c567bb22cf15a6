"""Nobody peeks: what a seat cannot see changes nothing that it gets."""

import random
from collections import Counter

from contract.settings import Setting, wander
from kibitz.engine import border
from kibitz.engine.actions import Secrecy
from kibitz.engine.chance import seed_of_move
from kibitz.engine.match import Match
from kibitz.engine.view import View, cards_of
from kibitz.engine.zones import Sight, Zone

SPECTATOR = None


def redealt(match: Match, seat: int | None, seed: int) -> Match:
    """The same match with all that a seat cannot see dealt anew."""
    other = Match(match.game, match.state, match.settings, match.seed, None)
    low, high = seed_of_move(f"redeal {seed}", 0)
    border.redeal_at(other.state, 0, -1 if seat is None else seat, low, high)
    return other


def viewers(setting: Setting) -> list[int | None]:
    return [SPECTATOR, *range(setting.players)]


def test_no_view_changes_when_unseen_cards_are_redealt(setting: Setting) -> None:
    match = setting.match(seed=1)
    for n, _ in enumerate(wander(match, random.Random(1), 120)):
        for seat in viewers(setting):
            other = redealt(match, seat, n)
            assert other.view(seat) == match.view(seat)
            if seat is not None:
                assert other.legal(seat) == match.legal(seat)


def test_redeals_do_vary(setting: Setting) -> None:
    match = setting.match(seed=2)
    for n, _ in enumerate(wander(match, random.Random(2), 30)):
        for seat in viewers(setting):
            hidden = unseen(match.view(seat))
            deals = {redealt(match, seat, 100 * n + k).state["cards"].tobytes() for k in range(8)}
            assert len(deals) > 1 or sum(n > 0 for n in hidden.values()) < 2


def unseen(seen: View) -> dict[str, int]:
    """How many cards of each zone a viewer does not know."""
    return {z.name: z.size - len(z.cards) - len(z.known) for z in seen.zones.values()}


def test_a_redeal_does_not_depend_on_how_the_unseen_cards_lay(setting: Setting) -> None:
    """So what a search finds from redeals cannot depend on them either."""
    match = setting.match(seed=3)
    for n, _ in enumerate(wander(match, random.Random(3), 60)):
        for seat in viewers(setting):
            other = redealt(match, seat, 2 * n)
            assert redealt(other, seat, 2 * n + 1).state == redealt(match, seat, 2 * n + 1).state


def test_redeals_deal_every_unseen_card_as_likely(default: Setting) -> None:
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


def test_views_do_not_tell_apart_what_a_viewer_could_not_tell_apart_before(
    setting: Setting,
) -> None:
    """Not only states: whole courses. In two worlds that look alike to a viewer, the same step of
    another seat must leave them looking alike, its line in the log included, unless it shows the
    viewer different cards."""
    compared = 0
    for seed in range(6):
        match = setting.match(seed)
        rng = random.Random(seed)
        for n, (actor, action) in enumerate(wander(match, rng, 150)):
            for viewer in viewers(setting):
                if viewer != actor:
                    other = redealt(match, viewer, n)
                    compared += looks_alike(match, other, actor, action, viewer, rng)
    assert compared > 0


def looks_alike(
    match: Match, other: Match, actor: int | None, action: str, viewer: int | None,
    rng: random.Random,
) -> bool:  # fmt: skip
    """Take the step in both worlds; False if it shows the viewer different cards."""
    alike = the_like_of(match, other, actor, action, rng)
    if alike is None:
        return False
    before = match.view(viewer)
    one, two = taken(match, actor, action), taken(other, actor, alike)
    if revealed(before, one.view(viewer)) != revealed(before, two.view(viewer)):
        return False
    assert one.view(viewer) == two.view(viewer), (action, viewer)
    assert one.line(0, viewer) == two.line(0, viewer), (action, viewer)
    return True


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
    return Counter(
        (zone.name, card) for zone in seen.zones.values() for card in (*zone.cards, *zone.known)
    )


def test_nobody_knows_of_more_cards_than_lie_there(setting: Setting) -> None:
    match = setting.match(seed=5)
    zones = match.game.layout.zones.at(setting.players)
    for _ in wander(match, random.Random(5), 150):
        for seat in viewers(setting):
            seen = match.view(seat)
            for zone in zones:
                looked = seen.zones[zone.name]
                assert len(looked.cards) + len(looked.known) <= looked.size


def test_the_log_tells_nobody_what_they_did_not_see(setting: Setting) -> None:
    """A masked action shows its verb alone, a sealed one nothing; the seat itself reads it all."""
    match = setting.match(seed=6)
    actions = match.game.actions
    for _ in wander(match, random.Random(6), 200):
        pass
    for viewer in viewers(setting):
        lines = {n: match.line(n, viewer) for n in range(len(match.done))}
        told = {n: line for n, line in lines.items() if line is not None}
        assert match.history(viewer) == list(told.values())
        for n, done in enumerate(match.done):
            if done.seat is None:
                assert told[n].action is None
                continue
            secrecy = actions.all[done.action].verb.secrecy
            saw = viewer in done.seen_by or secrecy is Secrecy.OPEN
            assert (n in told) == (saw or secrecy is Secrecy.MASKED)
            if n in told:
                assert told[n].seat == done.seat
                assert told[n].action == (done.text if saw else None)
            if done.seat == viewer:
                assert told[n].action == done.text


def test_who_saw_a_masked_action_is_who_sees_its_card_lie(setting: Setting) -> None:
    """Those whom the log tells the card know it afterwards, and nobody else does from the log."""
    match = setting.match(seed=7)
    for actor, action in wander(match, random.Random(7), 300):
        verb = match.verb(action)
        if actor is None or verb is None or verb.secrecy is not Secrecy.MASKED:
            continue
        after = match.copy()
        after.play(actor, action)
        card = match.game.actions.all[match.game.actions.read(action) or 0].words["card"]
        for viewer in after.done[-1].seen_by:
            assert any(
                card in zone.cards or card in zone.known
                for zone in after.view(viewer).zones.values()
            )


def test_events_show_their_cards_to_their_witnesses_alone(setting: Setting) -> None:
    """Whatever else a rule reports, cards that lie unseen afterwards are told to nobody.

    What is shown while cards are dealt may be shuffled away at once.
    """
    match = setting.match(seed=8)
    for _ in wander(match, random.Random(8), 300):
        if match.done[-1].seat is None:
            continue
        for viewer in viewers(setting):
            line = match.line(len(match.done) - 1, viewer)
            seen = Counter(card for _, card in known_places(match.view(viewer)).elements())
            for event in line.events if line else ():
                assert not Counter(event.cards) - seen, (event, viewer)
