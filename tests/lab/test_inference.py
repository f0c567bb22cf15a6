"""Memory is worth having: deals that fit it foretell better what others do."""

import pytest

from kibitz.games import find
from kibitz.lab.inference import main, measure


def test_vivas_memory_foretells_better() -> None:
    without, with_memory, actions = measure(find("viva"), matches=4, deals=20)
    assert actions > 200
    assert with_memory < 0.9 * without


def test_without_a_memory_both_are_the_same() -> None:
    without, with_memory, _ = measure(find("lantern"), matches=4, deals=10)
    assert without == with_memory > 0


def test_the_losses_are_printed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kibitz.lab.inference.MATCHES", 1)
    main(["lantern"])
    assert "lantern: " in capsys.readouterr().out
