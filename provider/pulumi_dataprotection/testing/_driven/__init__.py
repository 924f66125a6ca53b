"""What is put before all else on the path of the Pythons of a run on driven time."""
