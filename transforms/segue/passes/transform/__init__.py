"""Rules that fit a history to one target."""
