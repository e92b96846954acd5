"""What goes wrong when claims are looked up or read."""


class UnknownClaimError(KeyError):
    """No claim has this id or matches this pattern; the message lists the near ones."""

    def __str__(self) -> str:
        return str(self.args[0])


class ClaimFileError(ValueError):
    """A file of a claim or a paper cannot be used; the message names the file and the field.

    Attributes:
        stated: Id that the file states and that it cannot have, empty where that is not what is wrong.
    """

    stated = ""
