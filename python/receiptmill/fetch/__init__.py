"""Answers of the App Store Server API as archives: a report's questions are asked, and nothing is verified."""
