"""Find personal data and secrets in any text: patterns, checksums and labels; offline, in linear time."""
