"""Names for those at the table who have given none."""

BOT_NAMES = ("Ada", "Blaise", "Carl", "Dorothy", "Emmy", "Felix")
