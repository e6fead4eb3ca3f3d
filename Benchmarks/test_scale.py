"""The simulation's own arithmetic, worked by hand: python3 -m unittest discover --start-directory Benchmarks"""

import unittest

import scale


class Tasks(unittest.TestCase):
    def test_small_archives_share_a_task(self):
        room = scale.TASK_BYTES / scale.ARCHIVE_BYTES
        self.assertEqual(scale.tasks([room / 2, room, room / 2]), [(room, 1), (room, 2)])

    def test_a_large_archive_is_one_task(self):
        room = scale.TASK_BYTES / scale.ARCHIVE_BYTES
        self.assertEqual(scale.tasks([10 * room]), [(10 * room, 1)])


class Makespan(unittest.TestCase):
    def test_the_core_that_is_free_first_takes_the_next(self):
        self.assertEqual(scale.makespan([3, 2, 2], 2), 4)

    def test_one_task_keeps_one_core(self):
        self.assertEqual(scale.makespan([9, 1, 1, 1], 4), 9)


class Nights(unittest.TestCase):
    """First nights that Benchmarks/engines.py measured on two cores (docs/scale.md), in seconds. The costs follow from them.
    Fewer lines than these take less than is simulated."""

    def hold(self, lines, archives, **measured):
        told = scale.night(scale.even(lines, archives), 2)
        for stage, seconds in measured.items():
            with self.subTest(stage, lines=lines):
                self.assertLess(abs(told[stage] - seconds), 0.15 * seconds)

    def test_of_thousands_of_lines_in_few_archives(self):
        self.hold(35_000, 7, start=7.3, decode=16.0, merge=16.8, models=71.6)

    def test_of_thousands_of_lines_in_many_archives(self):
        self.hold(39_600, 99, start=7.4, decode=42.4, merge=27.0, models=72.1)

    def test_of_a_hundred_thousand_lines(self):
        self.hold(99_000, 99, start=7.7, decode=54.8, merge=32.6, models=104.1)

    def test_of_a_million_lines(self):
        self.hold(990_000, 99, decode=230.9, merge=94.9, models=465.0)


if __name__ == "__main__":
    unittest.main()
