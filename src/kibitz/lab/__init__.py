"""The laboratory: bots against bots, and what that proves."""
