"""What is said to people, in English and in Traditional Chinese: one file a topic, both languages side by side."""
