"""What a half-life would do, and whether the present one fits."""
