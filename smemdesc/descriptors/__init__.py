"""From a value to what it says, and back: readings, ranked and judged; encoding; differences."""
