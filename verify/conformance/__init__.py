"""Whether an implementation keeps its contract: the arguments that it takes, and its literal method."""
