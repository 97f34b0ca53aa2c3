"""The record of a game, and the forms in which it is written."""
