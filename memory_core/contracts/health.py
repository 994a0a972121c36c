"""How the parts of the service tell that they live."""

HEARTBEAT_KEY = "mneme:heartbeat:worker"
HEARTBEAT_SECONDS = 30  # a worker that was silent for longer counts as down
