"""Whether messages and the words in them are what their text says, and read back as they were."""
