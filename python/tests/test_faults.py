"""What a night on Spark says where it fails: the cause and what to do, without calls of Java."""

import sys
import unittest
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from receiptmill.spark import faults

# As Spark 4.3.0 writes them.
BROADCAST = """An error occurred while calling o5487.parquet.
: org.apache.spark.SparkException: Not enough memory to build and broadcast the table to all worker nodes. As a workaround, you can
\tat org.apache.spark.sql.errors.QueryExecutionErrors$.notEnoughMemoryToBuildAndBroadcastTableError(QueryExecutionErrors.scala:2180)
Caused by: java.lang.OutOfMemoryError: Java heap space
\tat java.base/java.lang.Thread.run(Thread.java:840)"""
PROGRAM = """An error occurred while calling o93.collectToPython.
: org.apache.spark.SparkException: Job aborted due to stage failure: Task 0 in stage 3.0 failed 1 times
\tat org.apache.spark.scheduler.DAGScheduler.abortStage(DAGScheduler.scala:2890)
Caused by: org.apache.spark.api.python.PythonException: FileNotFoundError: [Errno 2] No such file or directory: '/opt/receiptmill'
\tat org.apache.spark.api.python.BasePythonRunner.compute(PythonRunner.scala:572)"""


class Java:
    def __init__(self, text):
        self.text = text

    def toString(self):
        return self.text.splitlines()[1].removeprefix(": ")


class Failed(Exception):
    def __init__(self, text):
        super().__init__(text)
        self.java_exception = Java(text)


class Faults(unittest.TestCase):
    def test_name_the_cause_and_no_calls(self):
        told = faults.told(Failed(BROADCAST))
        self.assertTrue(told.startswith("Failed: org.apache.spark.SparkException: Not enough memory"))
        self.assertIn("\njava.lang.OutOfMemoryError: Java heap space\n", told)
        self.assertNotIn("\tat ", told)

    def test_of_memory_say_what_to_set(self):
        self.assertIn("\nhint: give the driver more memory: --conf spark.driver.memory=", faults.told(Failed(BROADCAST)))

    def test_of_a_worker_without_the_program_say_so(self):
        told = faults.told(Failed(PROGRAM))
        self.assertIn("'/opt/receiptmill'", told)
        self.assertIn("\nhint: each worker needs the program", told)

    def test_of_other_kinds_have_no_hint(self):
        self.assertEqual(faults.told(ValueError("two\nlines")), "ValueError: two\nlines")


if __name__ == "__main__":
    unittest.main()
