"""What is scanned: files, archives, binaries and text, cut into tasks and read in order."""
