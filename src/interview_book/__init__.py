"""The AI Interview Book's helper package: attention, checks, practice, figures, widgets and the book itself.

Nothing heavy is imported here. Start at :mod:`interview_book.attention` (the equations) or
:mod:`interview_book.checks` (proofs and measurements).
"""
