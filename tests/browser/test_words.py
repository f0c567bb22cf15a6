"""The page in words: how to play on top, rulings on demand, cards in the player's language."""

import re

import pytest
from playwright.sync_api import expect

from browser.conftest import OpenPage
from browser.people import invite


def test_a_rulebook_begins_with_how_to_play_and_keeps_rulings_folded(open_page: OpenPage) -> None:
    page = open_page("/rules/kolpa")
    steps = page.locator("[data-steps] li")
    expect(steps).to_have_count(5)
    expect(steps.first).to_be_visible()
    first_rule = page.locator("[data-rule]").first.bounding_box()
    last_step = steps.last.bounding_box()
    assert first_rule is not None
    assert last_step is not None
    assert last_step["y"] < first_rule["y"]
    assert page.locator("details[open]").count() == 0
    ruling = page.locator("details").first
    expect(ruling.locator("p")).to_be_hidden()
    ruling.locator("summary").click()
    expect(ruling.locator("p")).to_be_visible()


def test_a_link_to_a_rule_opens_its_ruling(open_page: OpenPage) -> None:
    page = open_page("/rules/kolpa#KOLPA-T7")
    expect(page.locator("[data-rule=KOLPA-T7]")).to_be_in_viewport()
    expect(page.locator("details[open]")).to_have_count(1)
    expect(page.locator("details[open] p")).to_contain_text("a card has to be drawn")


@pytest.mark.parametrize(
    ("locale", "lang", "names"),
    [("fr-FR", "fr", "Renard|Loutre|Héron|Blaireau|Roitelet|Lynx|Lièvre|Hibou|Pinson|Martre"),
     ("en-GB", "en", "Fox|Otter|Heron|Badger|Wren|Lynx|Hare|Owl|Finch|Marten")],
)  # fmt: skip
def test_cards_and_a_guests_first_name_speak_the_players_language(
    base: str, open_page: OpenPage, locale: str, lang: str, names: str
) -> None:
    page = open_page(invite(base, "kolpa").path, locale=locale)
    covers = page.locator(".cover img")
    expect(covers.first).to_have_attribute("src", re.compile(rf"^/art/kolpa/{lang}/"))
    expect(page.get_by_role("textbox").first).to_have_value(re.compile(rf"^({names}) \d\d$"))
