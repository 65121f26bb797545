"""What an author's editor asks of a project's texts. Pure: texts in, answers out. Protocols are spoken elsewhere."""
