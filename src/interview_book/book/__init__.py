"""What turns ``chapters/`` into two editions: checks, notebooks, pages, search. The only code that knows Sphinx."""
