"""What plots have in common: axes and the text on them, colours, heatmaps, and the order of classes and clusters."""
