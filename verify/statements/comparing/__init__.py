"""Whether two sides are the same function: by one form of both, else at points."""
