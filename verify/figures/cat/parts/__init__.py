"""What figures of this paper share: the look of methods and links, panels, marks, curves."""
