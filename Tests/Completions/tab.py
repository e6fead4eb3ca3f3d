#!/usr/bin/env python3
"""Types words and the tab key into a shell at a terminal, as a person does, and looks for what the shell makes of them.

    tab.py MILL SHELL LINE WANTED [LINE WANTED…]

SHELL is bash, zsh or fish. Each LINE is typed behind the shell's prompt and followed by a tab; WANTED has to appear.
"""
import os
import pty
import re
import select
import subprocess
import sys
import tempfile
import time

MILL, SHELL = os.path.abspath(sys.argv[1]), sys.argv[2]
PATIENCE = 20  # seconds for an answer

START = {
    "bash": (["bash", "--norc", "-i"], "source {folder}/script"),
    "zsh": (["zsh", "-f", "-i"], "fpath=({folder} $fpath); autoload -Uz compinit; compinit -u -D"),
    "fish": (["fish", "--no-config", "-i"], "source {folder}/script"),
}


def plain(shown):
    """What was shown without colours and movements of the cursor."""
    return re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", shown)


def read(terminal, wanted):
    """What the terminal shows until a text is there, or patience ends."""
    shown, end = b"", time.monotonic() + PATIENCE
    while time.monotonic() < end and wanted not in plain(shown):
        if select.select([terminal], [], [], 0.05)[0]:
            try:
                shown += os.read(terminal, 1 << 16)
            except OSError:
                break
    return shown


def start(folder):
    """A shell at a terminal, that knows the completions."""
    arguments, setup = START[SHELL]
    process, terminal = pty.fork()
    if process == 0:
        os.environ.update(PATH=f"{folder}:{os.environ['PATH']}", TERM="dumb" if SHELL == "bash" else "xterm", PS1="% ",
                          HOME=folder, XDG_CONFIG_HOME=folder, XDG_DATA_HOME=folder)
        os.execvp(arguments[0], arguments)
    os.write(terminal, f"{setup.format(folder=folder)}\necho RE''ADY\n".encode())
    read(terminal, b"READY\r\n")
    return process, terminal


def main():
    faults = 0
    with tempfile.TemporaryDirectory(prefix="receiptmill-tab-") as folder:
        os.symlink(MILL, f"{folder}/receiptmill")
        script = "_receiptmill" if SHELL == "zsh" else "script"
        with open(f"{folder}/{script}", "wb") as file:
            subprocess.run([MILL, "--generate-completion-script", SHELL], stdout=file, check=True)
        process, terminal = start(folder)
        for line, wanted in zip(sys.argv[3::2], sys.argv[4::2]):
            # Control-U removes the line before.
            os.write(terminal, f"\x15{line}\t".encode())
            shown = read(terminal, wanted.encode())
            if wanted.encode() not in plain(shown):
                print(f"{SHELL}: {line!r} does not become {wanted!r}: {shown!r}")
                faults += 1
        os.close(terminal)
        os.kill(process, 9)
        os.waitpid(process, 0)
    sys.exit(1 if faults else 0)


main()
