"""Errors of the controller. All are `BetlineError`: one line that names the file, key or case and the cure.

BetlineError
+-- ConfigError      table.toml, a registry or a house profile cannot be used as it stands
+-- CaseError        a ruling was asked for something that cannot be
+-- HistoryError     a hand history cannot be read
+-- JournalError     the journal is damaged, locked, or of another version
+-- RecordingError   a recording cannot be read, written or replayed
+-- FeedError        a socket cannot be opened, or nobody listens there
+-- WordsError       words that are no command
"""

from firmware_bridge.errors import BetlineError


class ConfigError(BetlineError, ValueError):
    pass


class CaseError(BetlineError, ValueError):
    pass


class HistoryError(BetlineError, ValueError):
    pass


class JournalError(BetlineError):
    pass


class RecordingError(BetlineError, ValueError):
    pass


class FeedError(BetlineError, OSError):
    pass


class WordsError(BetlineError, ValueError):
    pass
