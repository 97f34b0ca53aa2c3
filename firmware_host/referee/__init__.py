"""The match: who acts, what was irregular, what it leads to."""
