"""The controller of an electronic renju board: frames in, a ruled, clocked, recorded game out."""

__version__ = "0.1.0"
