"""Frame -> Occupancy -> board events."""
