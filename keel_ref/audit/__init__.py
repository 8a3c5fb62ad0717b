"""What the principles ask of a recording: shares of the window, and findings with their evidence.

This layer stands above the areas. It states no rule of its own: each check names the clauses by which it judges.
"""
