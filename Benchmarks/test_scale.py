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


if __name__ == "__main__":
    unittest.main()
