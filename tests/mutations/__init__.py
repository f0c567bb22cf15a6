"""Small mistakes planted in the rules, one at a time, to see whether a game's own tests notice.

    PYTHONPATH=tests python -m mutations [GAME …] [--sample N] [--again FILE] [--json]

Rules run in checked plain Python here, so that a planted mistake need not be compiled.
"""
