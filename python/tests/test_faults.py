"""What a night on Spark says where it fails: the cause and what to do, without calls of Java."""

import sys
import unittest
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from receiptmill.spark import faults

BROADCAST = """An error occurred while calling o5487.parquet.
: org.apache.spark.SparkException: Not enough memory to build and broadcast the table to all worker nodes. As a workaround, you can
\tat org.apache.spark.sql.errors.QueryExecutionErrors$.notEnoughMemoryToBuildAndBroadcastTableError(QueryExecutionErrors.scala:2180)
Caused by: java.lang.OutOfMemoryError: Java heap space
\tat java.base/java.lang.Thread.run(Thread.java:840)"""
WORKER = """An error occurred while calling o93.collectToPython.
: org.apache.spark.SparkException: Job aborted due to stage failure: Task 0 in stage 3.0 failed 1 times
\tat org.apache.spark.scheduler.DAGScheduler.abortStage(DAGScheduler.scala:2890)
Caused by: org.apache.spark.api.python.PythonException: [PYTHON_EXCEPTION] An exception was thrown from the Python worker: \
Traceback (most recent call last):
  File "/lib/receiptmill/spark/decoding.py", line 120, in lines
    process = subprocess.Popen(command)
FileNotFoundError: [Errno 2] No such file or directory: '/opt/receiptmill'

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
    def test_are_printed_with_their_cause_and_without_calls(self):
        first, cause, hint = faults.told(Failed(BROADCAST)).splitlines()
        self.assertTrue(first.startswith("Failed: org.apache.spark.SparkException: Not enough memory"))
        self.assertEqual(cause, "java.lang.OutOfMemoryError: Java heap space")
        self.assertTrue(hint.startswith("hint: give the driver more memory: --conf spark.driver.memory="))

    def test_of_a_worker_are_printed_as_its_python_has_them(self):
        *_, error, hint = faults.told(Failed(WORKER)).splitlines()
        self.assertEqual(error, "FileNotFoundError: [Errno 2] No such file or directory: '/opt/receiptmill'")
        self.assertTrue(hint.startswith("hint: each worker needs the program"))

    def test_without_a_known_remedy_have_no_hint(self):
        self.assertEqual(faults.told(OSError("one\ntwo")), "OSError: one")


if __name__ == "__main__":
    unittest.main()
