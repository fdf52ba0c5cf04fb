"""Code that the commands share: options, streams, batches, help, paging."""
