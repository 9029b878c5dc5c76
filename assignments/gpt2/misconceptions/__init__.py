"""What goes wrong in `gpt2`: a file for each part of the model, one for its weights, one for its sizes."""
