"""Which units are judged, where, and in which processes."""
