"""What bad input gets: an error that says what is wrong and what would be right."""


class KibitzError(ValueError):
    """A user's mistake. Its text is one line meant for that user."""


class UnknownGame(KibitzError):
    """No game of that name is installed."""


class BrokenGame(KibitzError):
    """A game that is there, but cannot be loaded."""


class BadOption(KibitzError):
    """An option, or a number of players, that the game does not have."""


class BadSave(KibitzError):
    """A text that is no saved match, or not one that these rules can replay."""


class BadPosition(KibitzError):
    """A text that is no position of the game."""


class IllegalAction(KibitzError):
    """A refused action. Nothing has changed.

    `rule` is the id of the rule that forbids it, or None where the text is no action at all.
    """

    def __init__(self, reason: str, rule: str | None = None) -> None:
        super().__init__(f"{reason} ({rule})" if rule else reason)
        self.reason = reason
        self.rule = rule


class UnfinishedChoice(IllegalAction):
    """A choice of several actions that was not made whole."""
