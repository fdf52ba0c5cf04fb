"""The same question, put to a GPU: of which byte is each element read? Nothing here prints."""
