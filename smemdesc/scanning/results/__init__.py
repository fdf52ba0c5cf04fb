"""What a scan reports: findings, differences between scans, and the names of functions."""
