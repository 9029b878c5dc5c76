"""What goes wrong in the layers of GPT-2: wrong functions and classes that learners do write, each written twice."""
