"""Matches and campaigns: the store, runners, statistics, learning, reports."""
