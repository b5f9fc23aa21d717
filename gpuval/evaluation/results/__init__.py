"""What evaluations give: scores by their names, how they are shown, compared and put into tables."""
