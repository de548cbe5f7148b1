"""Other tools' files, brought into ours."""
