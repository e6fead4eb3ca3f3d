"""How a wheel is tagged. Needs hatchling."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

import build_program


def tag(told, *beside):
    """The tag by what objdump says; of an x86_64, with libraries beside the program."""
    with mock.patch.object(build_program, "objdump", lambda option, path: told), mock.patch("platform.machine", lambda: "x86_64"):
        return build_program.platform_tag([Path("program"), *map(Path, beside)])


class Tags(unittest.TestCase):
    def test_are_of_the_newest_symbols_of_the_c_library(self):
        told = "  NEEDED               libc.so.6\n  NEEDED libm.so.6\n 0x0 0x00 05 GLIBC_2.9\n 0x0 0x00 04 GLIBC_2.36\n GLIBC_2.4\n"
        self.assertEqual(tag(told), "manylinux_2_36_x86_64")

    def test_are_of_one_machine_where_another_library_is_needed(self):
        told = "  NEEDED               libc.so.6\n  NEEDED               libisal.so.2\n GLIBC_2.4\n"
        self.assertEqual(tag(told), "linux_x86_64")

    def test_are_of_many_machines_where_the_wheel_brings_the_library(self):
        told = "  NEEDED               libc.so.6\n  NEEDED               libisal.so.2\n GLIBC_2.4\n"
        self.assertEqual(tag(told, "lib/libisal.so.2"), "manylinux_2_4_x86_64")

    def test_are_what_objdump_says_of_a_program(self):
        with tempfile.TemporaryDirectory() as folder:
            source, program = Path(folder, "one.c"), Path(folder, "one")
            source.write_text("#include <stdlib.h>\nint main(void) { return getenv(\"none\") != 0; }\n")
            try:
                subprocess.run(["cc", source, "-o", program], check=True, capture_output=True)
            except FileNotFoundError:
                self.skipTest("no compiler of C here")
            self.assertRegex(build_program.platform_tag([program]), r"^manylinux_2_\d+_\w+$")


if __name__ == "__main__":
    unittest.main()
