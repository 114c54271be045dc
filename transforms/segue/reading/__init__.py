"""What `records` is made of: decoding, whole documents, damaged lines, and the form of a file."""
