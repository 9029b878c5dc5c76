"""`grader picture`: what the visible tests saw of a matrix, drawn as SVG, as PNG, and in block characters.

HeatMap ─► remarks ─┬─► blocks ─► terminal
                    └─► sheet ─┬─► svg
                               └─► png
"""
