"""What the action calls: gate a pull request by trusted rules, and publish the result."""
