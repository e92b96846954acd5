"""The rungs: one module each with `judge(case, context) -> Evidence`; `costs` is a part of `run`."""
