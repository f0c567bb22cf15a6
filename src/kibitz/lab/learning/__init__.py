"""Learning to play by self-play: see docs/learning.md."""
