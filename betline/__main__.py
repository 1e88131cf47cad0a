"""`python -m betline` is `betline`."""

from betline.main import main

main()
