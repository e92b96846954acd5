"""Methods of the suite on real processes and links: which halves they have, how they run, what is told."""
