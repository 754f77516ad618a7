"""What somebody at a page may not do now, with a sentence for them."""

from __future__ import annotations


class Refused(Exception):
    """The sentence is shown to whoever asked; nothing has changed. `status` is HTTP's word for it."""

    def __init__(self, reason: str, status: int = 400) -> None:
        super().__init__(reason)
        self.reason, self.status = reason, status
