"""What the plots share: axes and text on them, colours, heatmaps, and the order of classes and clusters."""
