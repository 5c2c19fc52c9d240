"""What people look at: terminal tables, words and pictures, all from a frozen board."""
