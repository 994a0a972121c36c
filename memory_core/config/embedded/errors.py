"""What stops the service, as one sentence for the person who started it."""


class CannotStart(Exception):
    """The service cannot run; the message is the whole explanation."""
