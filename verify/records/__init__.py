"""Records of judgements on disk: written, pinned, replayed, and what makes them stale."""
