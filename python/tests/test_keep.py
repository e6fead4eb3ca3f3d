"""Which models a night works out, and which it copies, on a disk and without Spark."""

import io
import json
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from receiptmill.lake import dialect
from receiptmill.lake.progress import Progress
from receiptmill.spark.storage import KEPT, KNOWN
from receiptmill.spark.views import Views


class Frame:
    """Rows of a statement, which know the statement."""

    schema = "schema"

    def __init__(self, session, text):
        self.session, self.text, self.write = session, text, self

    def coalesce(self, count):
        return self

    def parquet(self, path):
        self.session.written.append(Path(path).name)
        Path(path).mkdir(parents=True)
        Path(path, "_SUCCESS").write_text(self.text)

    def createOrReplaceTempView(self, name):
        self.session.shown.append(name)


class Reader:
    def __init__(self, session):
        self.session = session

    def schema(self, schema):
        return self

    def parquet(self, path):
        return Frame(self.session, Path(path, "_SUCCESS").read_text())


class Session:
    def __init__(self, broken=None):
        self.written, self.shown, self.broken = [], [], broken
        self.read = Reader(self)

    def sql(self, text):
        if self.broken and text == dialect.models()[self.broken]:
            raise ValueError(f"no {self.broken} today")
        # A view is created by its statement, a model by its rows.
        if text.startswith("CREATE"):
            self.shown.append(text.split()[5])
        return Frame(self, text)

    def createDataFrame(self, rows, schema):
        return Frame(self, json.dumps(rows))


class Storage:
    """What Storage does with a lake's views, on a local disk."""

    def __init__(self, lake):
        self.lake, self.last = Path(lake), (None, {})

    def path(self, *parts):
        return str(self.lake.joinpath(*parts))

    def delete(self, *parts):
        shutil.rmtree(self.path(*parts), ignore_errors=True)

    def last_views(self):
        return self.last

    def copy(self, old, new):
        shutil.copytree(self.path(*old), self.path(*new))

    def write_text(self, text, *parts):
        self.last = parts[1], json.loads(text)


class Origins:
    def __init__(self, **changed):
        self.changed = changed

    def of(self, name):
        return f"{name} {self.changed.get(name, 0)}"


class Keeping(unittest.TestCase):
    def setUp(self):
        self.storage = Storage(self.enterContext(tempfile.TemporaryDirectory()))
        self.rows = {name: [] for name in KNOWN}

    def keep(self, kept, origins, session=None):
        session = session or Session()
        views = Views.__new__(Views)
        views.session, views.storage = session, self.storage
        views.keep(kept, self.rows, origins, Progress(io.StringIO()))
        return session

    def test_a_first_night_works_out_all(self):
        session = self.keep("one", Origins())
        steps = {step for name, select in dialect.models().items() for step in dialect.steps(name, select)}
        self.assertEqual(sorted(session.written), sorted({*KNOWN, *KEPT, *steps}))
        self.assertEqual(sorted(path.name for path in Path(self.storage.path("views", "one")).iterdir()), sorted([*KNOWN, *KEPT]))
        self.assertEqual(self.storage.last[0], "one")

    def test_the_next_night_works_out_what_changed_and_copies_the_rest(self):
        self.keep("one", Origins())
        session = self.keep("two", Origins(model_sales=1, model_cases=1, setting=1))
        self.assertEqual(sorted(session.written), ["model_cases", "model_sales", "setting"])
        for name in [*KNOWN, *KEPT]:
            self.assertTrue(Path(self.storage.path("views", "two", name, "_SUCCESS")).exists(), name)

    def test_what_is_read_is_shown_before_what_reads_it(self):
        session = self.keep("one", Origins())
        place = {name: number for number, name in enumerate(session.shown)}
        texts = dialect.views(dialect.SPARK)
        for name, select in dialect.models().items():
            texts |= dialect.steps(name, select)
        for name, select in texts.items():
            for other in dialect.read_by(select):
                if other in place and other != name:
                    self.assertLess(place[other], place[name], f"{name} reads {other}")

    def test_a_model_that_fails_ends_the_night_without_origins(self):
        with self.assertRaisesRegex(ValueError, "no model_terms today"):
            self.keep("one", Origins(), Session(broken="model_terms"))
        self.assertEqual(self.storage.last, (None, {}))


class Steps(unittest.TestCase):
    def test_a_table_that_is_read_again_and_again_is_a_step(self):
        select = (
            "WITH small AS (SELECT ')' FROM t), twice AS (SELECT 1 FROM small JOIN u JOIN v JOIN w), once AS (SELECT 2 FROM x)\n"
            "SELECT * FROM twice JOIN once UNION ALL SELECT * FROM twice"
        )
        self.assertEqual(
            dialect.steps("model_m", select),
            {
                "model_m_twice": "WITH small AS (SELECT ')' FROM t)\nSELECT 1 FROM small JOIN u JOIN v JOIN w",
                "model_m": "WITH twice AS (SELECT * FROM model_m_twice), once AS (SELECT 2 FROM x)\n"
                "SELECT * FROM twice JOIN once UNION ALL SELECT * FROM twice",
            },
        )

    def test_what_a_step_reads_is_counted_once(self):
        select = "WITH a AS (SELECT 1 FROM t), b AS (SELECT 2 FROM a, t, u, v)\nSELECT 3 FROM b JOIN b AS c"
        self.assertEqual(list(dialect.steps("model_m", select)), ["model_m_b", "model_m"])

    def test_no_step_has_the_name_of_anything_else(self):
        steps = [step for name, select in dialect.models().items() for step in dialect.steps(name, select)]
        self.assertEqual(len(steps), len(set(steps)))
        self.assertEqual(set(steps) & {*KNOWN, *dialect.views(dialect.SPARK), *dialect.lake_selects("tables")}, set(KEPT))


if __name__ == "__main__":
    unittest.main()
