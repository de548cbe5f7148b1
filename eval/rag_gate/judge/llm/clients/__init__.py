"""Model services: HTTP in two wire formats, a program, recorded replies."""
