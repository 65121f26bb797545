"""``python -m heartrule`` is the command ``heartrule``."""

from heartrule.cli.main import main

if __name__ == "__main__":
    main()
