"""Inference is worth having: worlds that are consistent with it foretell what others do."""

import pytest

from kibitz.games import find
from kibitz.lab.inference import main, measure


def test_vivas_inference_foretells_better() -> None:
    without, inferring, actions = measure(find("viva"), matches=4, worlds=20)
    assert actions > 200
    assert inferring < 0.9 * without


def test_without_inference_both_are_the_same() -> None:
    without, inferring, _ = measure(find("lantern"), matches=4, worlds=10)
    assert without == inferring > 0


def test_the_losses_are_printed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kibitz.lab.inference.MATCHES", 1)
    main(["lantern"])
    assert "lantern: " in capsys.readouterr().out
