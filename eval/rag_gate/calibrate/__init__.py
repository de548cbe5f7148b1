"""How much scores vary when nothing changed, and how far a judge agrees with people."""
