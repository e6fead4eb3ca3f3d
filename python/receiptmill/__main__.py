"""`python -m receiptmill …` is the program `receiptmill …`."""

import os
import sys

from ._program import ProgramMissing, program

if __name__ == "__main__":
    try:
        found = program()
    except ProgramMissing as fault:
        sys.exit(f"receiptmill: {fault}")
    os.execv(found, [str(found), *sys.argv[1:]])
