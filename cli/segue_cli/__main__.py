"""`python -m segue_cli` is the command."""

from segue_cli.main import main

main()
