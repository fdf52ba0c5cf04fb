"""``smemdesc lsp``: what editors show of code with tensor-core instructions, over the language server protocol."""
