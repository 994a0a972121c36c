"""Short-term memory: rolling windows of conversations, kept in Valkey."""
