"""The page in words: how to play on top, rulings on demand, cards in the player's language."""

import re

import pytest
from playwright.sync_api import expect

from browser.conftest import PHONE, OpenPage
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


def test_rules_are_found_from_the_start_page_and_from_the_table(
    base: str, open_page: OpenPage
) -> None:
    page = open_page("/", size=PHONE)
    page.locator("[data-game=viva] [data-action-button=rules]").click()
    expect(page).to_have_url(f"{base}/rules/viva")
    expect(page.locator("[data-screen=rules] h1")).to_have_text("Viva")
    page.goto(base)
    page.locator("[data-game=kolpa] [data-action-button=play-now]").click()
    page.locator("[data-action-button=menu]").click()
    page.locator("[data-dialog=menu] [data-action-button=rules]").click()
    expect(page.locator("#side-page [data-rule]").first).to_be_visible()
    expect(page.get_by_role("region", name="Rules")).to_be_focused()


def test_rules_of_a_game_that_there_is_not(base: str, open_page: OpenPage) -> None:
    page = open_page("/rules/bridge")
    expect(page.get_by_role("alert")).to_have_text("There is no such game.")
    page.get_by_role("link", name="To the start page").click()
    expect(page).to_have_url(f"{base}/")
