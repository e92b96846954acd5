"""Verbs about runs of the suite and their records: verify, replay, diff, report, badge, export, figures."""
