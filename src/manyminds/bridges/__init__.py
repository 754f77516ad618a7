"""OpenSpiel and PettingZoo: their games under our search, our games in their world."""
