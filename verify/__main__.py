"""`python -m verify` is `boundcheck`."""

from verify.cli import main

if __name__ == "__main__":
    main()
