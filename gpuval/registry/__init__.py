"""The measures by their names: families, facts about them, and what ``metrics=`` stands for."""
