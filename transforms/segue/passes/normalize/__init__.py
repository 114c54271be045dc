"""Rules that put in order what the recorder left, for any target."""
