"""Nobody peeks: what a seat cannot see changes nothing that it gets."""

import random
from collections import Counter

from contract.settings import Setting, wander
from kibitz.engine import playout
from kibitz.engine.chance import seed_of_move
from kibitz.engine.match import Match
from kibitz.engine.moves import new_moves
from kibitz.engine.view import View, cards_of, view
from kibitz.engine.zones import Sight, Zone

SPECTATOR = None


def redealt(match: Match, seat: int | None, seed: int) -> Match:
    """The same match with all that a seat cannot see dealt anew."""
    other = Match(match.game, match.state.copy(), match.settings, match.seed, None)
    low, high = seed_of_move(f"redeal {seed}", 0)
    playout.redeal_at(other.state, 0, -1 if seat is None else seat, low, high)
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
    for _ in wander(match, random.Random(4), 10):
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


def test_views_do_not_tell_apart_what_a_seat_could_not_tell_apart_before(setting: Setting) -> None:
    """Not only states: whole courses. In two worlds that look alike to a seat, the same open
    action of another seat must leave them looking alike, unless it shows new cards."""
    compared = 0
    for seed in range(4):
        match = setting.match(seed)
        for n, (actor, action) in enumerate(wander(match, random.Random(seed), 150)):
            for seat in viewers(setting):
                if seat == actor:
                    continue
                other = redealt(match, seat, n)
                if action not in other.legal(actor):
                    continue
                compared += same_for(match, other, actor, action, seat)
    assert compared > 0


def same_for(match: Match, other: Match, actor: int, action: str, seat: int | None) -> bool:
    """Play the action in both worlds; False if it shows the viewer cards it had not seen."""
    number = match.game.actions.read(action)
    assert number is not None
    worlds = [match.state.copy(), other.state.copy()]
    for state in worlds:
        playout.play_at(state, 0, actor, number, *seed_of_move("same", 0), new_moves())
    before = match.view(seat)
    one, two = (view(match.game, state, seat) for state in worlds)
    card = match.game.actions.all[number].words.get("card")
    if one.round != before.round or one.over:
        return False
    for after in (one, two):
        new = shown(after) - shown(before)
        if new - Counter([card] if card else []) or has_drawn(before, after):
            return False
    assert one == two, (action, seat)
    if match.game.memory:  # what is remembered is what everyone has seen
        for name in match.game.layout.hidden:
            assert (worlds[0][name] == worlds[1][name]).all(), (name, action, seat)
    return True


def has_drawn(before: View, after: View) -> bool:
    """Whether the viewer's own hand has grown."""
    hand = f"hand.{before.seat}"
    return hand in after.zones and after.zones[hand].size > before.zones[hand].size


def shown(seen: View) -> Counter[str]:
    return Counter(card for zone in seen.zones.values() for card in zone.cards)


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
    match = setting.match(seed=6)
    for _ in wander(match, random.Random(6), 80):
        full = match.log
        for seat in viewers(setting):
            told = match.history(seat)
            assert len(told) <= len(full)
            mine = [entry for entry in full if entry[0] == seat]
            assert [entry for entry in told if entry[0] == seat] == mine
