"""Moving in: other systems' dumps become memories of the portable format."""
