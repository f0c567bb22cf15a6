"""The same rules on a GPU: whole random matches, and many matches side by side."""
