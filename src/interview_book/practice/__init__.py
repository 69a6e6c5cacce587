"""Questions as data, and the reading of what a person answers: bank, grading, answers, numbers, speech."""
