"""A Spark session in which tasks find what they import."""

import atexit
import functools
import os
import shutil
import tempfile

PIPELINES = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def make_session(name, master=None):
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName(name)
    if master:
        builder = builder.master(master)
    if (master or "").startswith("local"):
        # A machine by itself need not know its own name.
        builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
    session = (
        # Times in views are UTC.
        builder.config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.parquet.compression.codec", "zstd")
        .getOrCreate()
    )
    session.sparkContext.addPyFile(modules())
    return session


@functools.cache
def modules():
    """What tasks import, as a zip file that lasts as long as the driver: one, since sessions of a process share files."""
    folder = tempfile.mkdtemp(prefix="receiptmill-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    inside = os.path.join(folder, "modules")
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(os.path.join(PIPELINES, "lake"), os.path.join(inside, "lake"), ignore=ignored)
    for name in ("archives.py", "decoding.py"):
        shutil.copy(os.path.join(PIPELINES, "spark", name), inside)
    return shutil.make_archive(inside, "zip", inside)
