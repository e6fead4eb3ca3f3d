# ReceiptMill's tasks; `make` alone lists them. The two that a newcomer needs are
# `make setup demo` and `make setup test`. Only tasks named `setup` install anything on
# the machine; the others say what is missing, and end.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

MILL := .build/release/receiptmill
MINT := $(CURDIR)/.build/release/receiptmint
export MINT
DEMO := demo/mill.sqlite
DEMO_SIGNED := demo/signed.sqlite
# Where the sample's apps became free; data-samples/README.md has the table.
DEMO_APPS := com.example.lumen:100:ios com.example.tideline:1.10:ios \
	com.example.chord:2022.4.0.1765:ios com.example.lumen.mac:4.0:macos
FORMATTED := Sources Tests Package.swift receiptmint

# Off a terminal, the compiler's progress would be hundreds of lines.
QUIET := $(shell [ -t 2 ] || echo --quiet)

.PHONY: library test-library help setup setup-bench setup-browser setup-package setup-container can-build can-test can-bench demo test test-asan test-tsan test-ubsan test-documentation pictures test-faults test-kills test-dashboard test-datasette build lint format \
	test-readers test-full-disk test-decode test-lake test-parquet test-engines test-engines-at-scale test-engine-plans test-engine-kills test-nights test-plans test-growth test-cluster test-memory test-year fuzz bench docs clean \
	package test-package container test-container wheel test-wheel test-python test-semantic build-mint release

help: ## list these tasks
	@grep -E '^[a-z-]+:.*## ' $(firstword $(MAKEFILE_LIST)) | sort | \
		awk -F ':.*## ' '{ printf "make %-17s %s\n", $$1, $$2 }'

# `make setup test` installs before it tests, with --jobs too.
.NOTPARALLEL:

setup: ## install what build and tests need and is missing, with apt-get
	@.ci/needs --install build test
	.ci/needs --install fast || echo "without libisal-dev: archives are inflated by zlib" >&2

setup-bench: setup ## install what benchmarks, engines and faults need besides
	@.ci/needs --install bench

setup-browser: setup ## install Chromium, for tests in a browser
	@.ci/needs --install browser || echo "without Chromium: nothing is tested in a browser" >&2

setup-package: setup ## install debootstrap and lintian, for a test of the package
	@.ci/needs --install package

setup-container: setup ## install buildah, for an image, and podman, for its test
	@.ci/needs --install container

can-build:
	@.ci/needs build

can-test:
	@.ci/needs build test

can-bench:
	@.ci/needs build test bench

demo: build ## build, load the samples into demo/mill.sqlite and demo/signed.sqlite, print reports
	@mkdir -p demo
	rm -f $(DEMO) $(DEMO)-* $(DEMO_SIGNED) $(DEMO_SIGNED)-*
	run() { echo; echo "$$ receiptmill $$*"; PAGER=cat $(MILL) "$$@"; }
	run ingest data-samples/receipts-001.jsonl.gz --trust data-samples/root.pem --database $(DEMO) \
		$(addprefix --app ,$(DEMO_APPS))
	run report freemium-migration --database $(DEMO) bundle=com.example.tideline
	run report refunds --database $(DEMO) bundle=com.example.tideline from=2025-01-01
	run report device-hash-mismatches --database $(DEMO)
	run ingest data-samples/signed/receipts-001.jsonl.gz --trust data-samples/signed/root.pem --database $(DEMO_SIGNED)
	run refresh --database $(DEMO_SIGNED) --rates data-samples/rates.csv
	run report recurring-revenue --database $(DEMO_SIGNED) bundle=com.example.atlas
	run report renewals-due --database $(DEMO_SIGNED) bundle=com.example.atlas days=7
	echo
	echo "The databases are $(DEMO), of receipts, and $(DEMO_SIGNED), of signed data; the command is $(MILL)."
	echo "Without parameters, a report covers all apps and all times. README.md goes on from here."

# ISA-L inflates where it is there; asked when a recipe begins, after `setup`.
TRAITS = $(shell pkg-config --exists libisal && echo --traits ISAL)

test: can-test ## run all tests
	@swift test $(TRAITS) $(QUIET)

package: can-build ## build a Debian package and a tarball for home folders into packages/
	@packaging/package.sh

# A bare Debian in a folder; needs root.
test-package: ## lintian; run the tarball, and install, run, upgrade and purge the package in a bare Debian
	@.ci/needs package
	packaging/test-package.sh

container: ## build an image of the package in packages/, without a registry
	@packaging/container.sh

# Folders of another user; needs root.
test-container: ## build the image, and load and report with folders of the machine
	@.ci/needs container
	packaging/test-container.sh

release: can-build ## build all release files into packages/: package, tarball, wheel, image, SHA256SUMS and INSTALL.md
	@packaging/release.sh

wheel: can-bench ## build a Python wheel that brings the program into packages/ (RECEIPTMILL_BINARY names a built one)
	@packaging/wheel.sh

MYPY := mypy==2.4.1
WHEEL_TOOLS := hatchling>=1.26

# What an analyst has beside the package.
ANALYST = $(strip $(file < pipelines/mcp/requirements.txt) $(file < pipelines/fetch/requirements.txt) pandas polars pyarrow)

test-python: build can-test ## test the Python package out of the source tree, and hold it to its types
	@Tests/Faults/failing-build.sh
	python3 python/tests/test_origins.py
	python3 python/tests/test_progress.py
	python3 python/tests/test_keep.py
	python3 python/tests/test_fields.py
	python3 python/tests/test_faults.py
	python3 python/tests/test_imports.py
	if ! $(call in-environment,demo/mypy,$(MYPY) $(WHEEL_TOOLS)); then
		echo "!! mypy can't be installed from PyPI here: types are NOT CHECKED !!" >&2
		exit 0
	fi
	demo/mypy/bin/python python/tests/test_build.py
	demo/mypy/bin/mypy --config-file python/pyproject.toml --cache-dir demo/mypy/cache python/receiptmill python/build_program.py
	if ! $(call in-environment,demo/analyst,$(ANALYST)); then
		echo "!! packages of PyPI can't be installed here: data frames, the server for assistants and questions to Apple are NOT TESTED !!" >&2
		exit 0
	fi
	export PYTHONPATH=python PATH=$(dir $(abspath $(MILL))):$$PATH
	demo/analyst/bin/python python/tests/test_answers.py
	demo/analyst/bin/python python/tests/test_mcp.py
	demo/analyst/bin/python python/tests/test_fetch.py

# The tools that read what receiptmill-semantic writes. An installation of dbt-core 1.12 fetches a file that PyPI lacks.
DBT := dbt-core==1.11.16 dbt-sqlite==1.10.0 dbt-duckdb==1.11.1 dbt-metricflow==0.15.0
SEMANTIC = $(strip $(file < pipelines/semantic/requirements.txt) $(file < pipelines/duckdb/requirements.txt) \
	$(filter datasette==%,$(DATASETTE)) $(DBT))

test-semantic: build can-test ## load what receiptmill-semantic writes with dbt, MetricFlow and Datasette
	@if ! $(call in-environment,demo/semantic,$(SEMANTIC)); then
		echo "!! dbt can't be installed from PyPI here: models of semantic layers are NOT TESTED !!" >&2
		exit 0
	fi
	export PYTHONPATH=python PATH=$(dir $(abspath $(MILL))):$$PATH
	demo/semantic/bin/python python/tests/test_semantic.py

# An environment that is new each time, as a person's who types `pip install`.
test-wheel: can-test ## install the wheel of packages/ into new environments, and use its parts
	@wheel=$$(ls packages/receiptmill-*.whl 2>/dev/null | tail -n 1)
	[ -n "$$wheel" ] || { echo "there is no wheel in packages/: make wheel" >&2; exit 1; }
	rm -rf demo/wheel && mkdir -p demo && python3 -m venv demo/wheel
	demo/wheel/bin/pip install --quiet "$$wheel"
	demo/wheel/bin/python python/tests/test_program.py
	demo/wheel/bin/python python/tests/test_verify.py
	demo/wheel/bin/python python/tests/test_answers.py
	if ! demo/wheel/bin/pip install --quiet "$$wheel[duckdb,parquet,datasette,mcp,fetch]" pandas polars; then
		echo "!! packages of PyPI can't be installed here: the parts of the wheel are NOT TESTED !!" >&2
		exit 0
	fi
	demo/wheel/bin/python python/tests/test_parts.py
	demo/wheel/bin/python python/tests/test_verify.py
	demo/wheel/bin/python python/tests/test_answers.py
	demo/wheel/bin/python python/tests/test_mcp.py
	demo/wheel/bin/python python/tests/test_fetch.py
	if ! command -v java > /dev/null || ! demo/wheel/bin/pip install --quiet "$$wheel[spark]"; then
		echo "!! no Java, or Spark can't be installed from PyPI here: a night of the wheel is NOT TESTED !!" >&2
		exit 0
	fi
	demo/wheel/bin/python python/tests/test_night.py

# Leaks are not looked for: XCTest and Foundation keep what they allot at start.
test-asan: can-test ## run all tests under the address sanitizer
	@ASAN_OPTIONS=detect_leaks=0 swift test $(TRAITS) --sanitize=address --scratch-path .build-asan $(QUIET)

test-tsan: can-test ## run all tests under the thread sanitizer
	# One test limits the size of files, under which the sanitizer itself can't start.
	@swift test $(TRAITS) --sanitize=thread --scratch-path .build-tsan $(QUIET) \
		--skip limitsFileSize

C_TARGETS := CBase64 CP256 CRowBuffer

test-ubsan: can-build ## run what is C under the sanitizers for undefined behaviour and addresses
	@mkdir -p .build-ubsan
	clang -std=c11 -D_DEFAULT_SOURCE -g -O1 -Wall -Wextra -fuse-ld=lld -fsanitize=undefined,address \
		-fno-sanitize-recover=all $(patsubst %,-ISources/%/include,$(C_TARGETS)) Tests/Sanitizers/undefined.c \
		$(foreach target,$(C_TARGETS),$(wildcard Sources/$(target)/*.c)) $$(pkg-config --cflags --libs libcrypto sqlite3) \
		-o .build-ubsan/undefined
	.build-ubsan/undefined

# Of the blocks that say what they need.
PAGES = $(DUCKDB) $(filter pandas%,$(SPARK)) matplotlib==3.11.2

test-documentation: build build-mint library can-test ## run every code block of README and the pages, and follow every link
	@Tests/Documentation/links.py
	Tests/Documentation/pictures.py $(MILL) --check
	python=python3
	if $(call in-environment,demo/pages,$(PAGES)); then
		python=demo/pages/bin/python
	else
		echo "!! packages of PyPI can't be installed here: blocks that need them are NOT RUN !!" >&2
	fi
	$$python Tests/Documentation/run.py $(MILL)

pictures: build can-test ## draw README's pictures out of what the program prints
	@[ -n "$(CHROMIUM)" ] || { echo "no Chromium here: make setup-browser" >&2; exit 1; }
	Tests/Documentation/pictures.py $(MILL) $(CHROMIUM)

test-faults: build can-test ## fail every write of a small load, each in four ways, and compare
	@Tests/Faults/faults.sh $(MILL)

test-readers: build build-mint can-test ## load while twenty readers run reports
	@Tests/Faults/readers.sh $(MILL)

test-full-disk: build build-mint can-test ## load onto disks that are full (a tmpfs, as root)
	@Tests/Faults/full-disk.sh $(MILL)

test-memory: build build-mint can-test ## load with too little memory, then with enough, and compare
	@Tests/Faults/memory.sh $(MILL)

test-year: build build-mint can-test ## load a year of nights, and compare what a night takes in its months
	@Tests/Faults/year.sh $(MILL)

KILLS := 200

test-kills: build build-mint can-test ## kill loads of 20,000 lines 200 times and compare: KILLS=20 SIGNAL=TERM
	@KILLS=$(KILLS) SIGNAL=$(or $(SIGNAL),KILL) Tests/Faults/kills.sh $(MILL)

CHROMIUM := $(shell command -v chromium || command -v chromium-browser || command -v google-chrome)

test-dashboard: build ## open the sample's dashboard in a headless Chromium; screenshots in demo/dashboard
	@if [ -z "$(CHROMIUM)" ]; then
		echo "!! no Chromium here (make setup-browser): the dashboard is NOT TESTED in a browser !!" >&2
		exit 0
	fi
	Tests/Dashboard/browser.py $(MILL) $(CHROMIUM) demo/dashboard

JSONSCHEMA := 4.26.0

test-decode: build build-mint ## hold what decode writes against docs/decode-format.schema.json
	@mkdir -p demo
	if [ ! -x demo/jsonschema/bin/pip ] || ! demo/jsonschema/bin/python -c 'import jsonschema' 2>/dev/null; then
		if ! { python3 -m venv demo/jsonschema && demo/jsonschema/bin/pip install --quiet jsonschema==$(JSONSCHEMA); }; then
			rm -rf demo/jsonschema
			echo "!! jsonschema can't be installed from PyPI here: the format of decode is NOT CHECKED !!" >&2
			exit 0
		fi
	fi
	demo/jsonschema/bin/python Tests/Decoding/validate.py $(MILL)

DATASETTE = $(strip $(file < pipelines/datasette/requirements.txt))

test-datasette: build can-test ## compare Datasette's queries and charts with the reports, on the sample, and click through them
	@if ! $(call in-environment,demo/datasette,$(DATASETTE)); then
		echo "!! Datasette can't be installed from PyPI here: it is NOT TESTED !!" >&2
		exit 0
	fi
	rm -f demo/datasette.sqlite*
	$(MILL) ingest data-samples/receipts-001.jsonl.gz --trust data-samples/root.pem --database demo/datasette.sqlite \
		--quiet $(addprefix --app ,$(DEMO_APPS))
	demo/datasette/bin/python Tests/Datasette/compare.py $(MILL) demo/datasette.sqlite
	demo/datasette/bin/python python/tests/test_serving.py $(MILL) demo/datasette.sqlite
	if [ -z "$(CHROMIUM)" ]; then
		echo "!! no Chromium here (make setup-browser): Datasette's dashboards are NOT TESTED in a browser !!" >&2
		exit 0
	fi
	demo/datasette/bin/python Tests/Datasette/browser.py $(MILL) demo/datasette.sqlite $(CHROMIUM) demo/datasette-pages

DUCKDB = $(file < pipelines/duckdb/requirements.txt) pyarrow==26.0.1
# Of the driver; pyarrow is among what DuckDB's tests need.
SPARK = $(filter-out pyarrow%,$(file < pipelines/spark/requirements.txt))
# Real receipts, compared too.
CORPUS = --corpus $(or $(RECEIPTMILL_CORPUS),Tests/RealReceipts)

test-lake: build ## test the lake in DuckDB piece by piece, and that Spark can plan every report
	@if ! $(call in-environment,demo/duckdb,$(DUCKDB)); then
		echo "!! DuckDB can't be installed from PyPI here: the lake is NOT TESTED !!" >&2
		exit 0
	fi
	demo/duckdb/bin/python Tests/Engines/test_lake.py
	demo/duckdb/bin/python Tests/Engines/test_depth.py
	demo/duckdb/bin/python Tests/Engines/test_reconciled.py
	demo/duckdb/bin/python Tests/Engines/hand_worked.py

# Of the export itself, and what it is read with.
PARQUET = $(file < pipelines/parquet/requirements.txt) $(filter duckdb%,$(DUCKDB)) $(filter pandas%,$(SPARK))

test-parquet: build build-mint ## export to Parquet, and compare every view with SQLite
	@if ! $(call in-environment,demo/parquet,$(PARQUET)); then
		echo "!! pyarrow can't be installed from PyPI here: the export to Parquet is NOT TESTED !!" >&2
		exit 0
	fi
	demo/parquet/bin/python Tests/Parquet/test_export.py $(MILL)

# Lines that are compared; a row group of DuckDB's or Parquet's holds 122,880.
COUNT := 900

# DuckDB 2.0.0 has no scanner for SQLite on PyPI.
ATTACH := duckdb==1.5.5 duckdb-extension-sqlite-scanner==1.5.5 duckdb-extensions

test-engines: build build-mint can-test ## compare every view and report in DuckDB with SQLite: COUNT=30000
	@if ! $(call in-environment,demo/duckdb,$(DUCKDB)); then
		echo "!! DuckDB can't be installed from PyPI here: it is NOT COMPARED !!" >&2
		exit 0
	fi
	demo/duckdb/bin/python Tests/Engines/compare.py $(MILL) $(CORPUS) --count $(COUNT)
	if ! $(call in-environment,demo/attach,$(ATTACH)); then
		echo "!! DuckDB's scanner for SQLite can't be installed from PyPI here: what it sees is NOT TESTED !!" >&2
		exit 0
	fi
	demo/attach/bin/python Tests/Engines/test_attach.py $(MILL)

test-nights: build build-mint ## compare models refreshed night by night with models computed whole (NIGHTS=30, SEED=1)
	@Tests/Models/nights.py $(MILL) $(MINT) --nights $(or $(NIGHTS),30) --seed $(or $(SEED),1)

# Without a version: what the newest SQLite does is the question.
test-plans: build build-mint can-test ## compare the time of each model on this SQLite and on the newest of PyPI
	@if ! $(call in-environment,demo/plans,apsw); then
		echo "!! apsw can't be installed from PyPI here: plans are NOT COMPARED !!" >&2
		exit 0
	fi
	demo/plans/bin/pip install --quiet --upgrade apsw
	demo/plans/bin/python Tests/Models/plans.py $(MILL)

test-engine-plans: build build-mint can-test ## hold the plans of DuckDB's builds: no step makes many more rows than are read (LINES=4000)
	@if ! $(call in-environment,demo/duckdb,$(DUCKDB)); then
		echo "!! DuckDB can't be installed from PyPI here: its plans are NOT TESTED !!" >&2
		exit 0
	fi
	demo/duckdb/bin/python Tests/Engines/plans.py $(MILL) --count $(or $(LINES),4000)

test-growth: build can-test ## check that nothing a sender chooses grows faster than its rows (LINES="4000 8000 16000")
	@Tests/Models/growth.py $(MILL) --lines $(or $(LINES),4000 8000 16000)

test-engine-kills: build build-mint can-test ## kill DuckDB's builds midway and compare
	@if ! $(call in-environment,demo/duckdb,$(DUCKDB)); then
		echo "!! DuckDB can't be installed from PyPI here: its kills are NOT TESTED !!" >&2
		exit 0
	fi
	demo/duckdb/bin/python Tests/Engines/kills.py $(MILL)

test-engines-at-scale: build build-mint can-test ## compare SQLite, DuckDB and Spark on 40,000 minted lines: about half an hour
	@if ! command -v java >/dev/null || ! $(call in-environment,demo/spark,$(DUCKDB) $(SPARK)); then
		echo "!! no Java, or Spark can't be installed from PyPI here: it is NOT COMPARED !!" >&2
		exit 0
	fi
	demo/spark/bin/python Tests/Engines/compare.py $(MILL) $(CORPUS) --count 20000 --spark "local[2]"

test-cluster: build build-mint can-test ## the same in Spark, local and on a cluster of two processes, which dies on the way: MASTERS="local[2,4]"
	@if ! command -v java >/dev/null || ! $(call in-environment,demo/spark,$(DUCKDB) $(SPARK)); then
		echo "!! no Java, or Spark can't be installed from PyPI here: it is NOT COMPARED !!" >&2
		exit 0
	fi
	demo/spark/bin/python Tests/Engines/test_delta.py
	for master in $(MASTERS); do
		[[ $$master == local-cluster* ]] || demo/spark/bin/python Tests/Engines/hand_worked.py --spark "$$master"
		demo/spark/bin/python Tests/Engines/compare.py $(MILL) $(CORPUS) --spark "$$master" --kill decode \
			$$([[ $$master != local-cluster* ]] || echo --kill jvm)
		demo/spark/bin/python Tests/Engines/kills.py $(MILL) --spark "$$master"
	done
	demo/spark/bin/python Tests/Engines/cluster.py demo/spark/bin/python Tests/Engines/compare.py $(MILL) $(CORPUS) \
		--spark MASTER --kill decode --kill jvm

MASTERS := local[2,4] local-cluster[2,1,1024]

# Linked with Swift's libraries: loading them takes half of the time of a short command.
build: can-build ## build .build/release/receiptmill
	@echo "building $(TRAITS) (some minutes the first time)"
	swift build --configuration release --static-swift-stdlib --product receiptmill $(TRAITS) $(QUIET)

library: can-build ## build .build/release/libreceiptmill.so, for C, SQLite and Python
	@QUIET=$(QUIET) packaging/library.sh

# Of SQLite's extensions, the Debian build of Python alone loads any; tables need pyarrow.
test-library: library can-test ## test libreceiptmill in C, SQLite and Python
	@if ! [ -d demo/pyarrow ] && ! /usr/bin/python3 -m pip --version >/dev/null 2>&1; then
		echo "!! no pip here: tables of pyarrow are NOT TESTED !!" >&2
	elif ! [ -d demo/pyarrow ]; then
		mkdir -p demo
		/usr/bin/python3 -m pip install --quiet --target demo/pyarrow.part pyarrow==26.0.1 2>/dev/null && mv demo/pyarrow.part demo/pyarrow \
			|| echo "!! pyarrow can't be installed from PyPI here: tables are NOT TESTED !!" >&2
	fi
	PYTHONPATH=demo/pyarrow Tests/Library/test.sh .build/release/libreceiptmill.so

build-mint: can-build ## build .build/release/receiptmint, which makes test data
	@swift build --configuration release --static-swift-stdlib --product receiptmint $(TRAITS) $(QUIET)

lint: ## check the format of all Swift sources
	@swift format lint --strict --recursive --parallel $(FORMATTED)

format: ## format all Swift sources in place
	@swift format --in-place --recursive --parallel $(FORMATTED)

# What to fuzz, and for how long each.
FUZZ_TARGETS := elements container payload certificates property-list signature line archive decoded letter signed-header \
	signed-payload signed-line document inflaters
FUZZ_SECONDS := 600

fuzz: can-build ## fuzz what reads hostile bytes: FUZZ_TARGETS="line archive" FUZZ_SECONDS=60
	@swift build --configuration release --product Fuzz --scratch-path .build-fuzz $(QUIET) --sanitize=address $(TRAITS) \
		-Xswiftc -DFUZZING -Xswiftc -enable-testing -Xswiftc -sanitize=fuzzer -Xswiftc -use-ld=lld
	# The toolchain's backtracer would hang on a finding, and libFuzzer prints its own.
	export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0
	for target in $(FUZZ_TARGETS); do
		if [ $$target = inflaters ] && [ -z "$(TRAITS)" ]; then
			echo "!! inflaters: ISA-L is absent, so it is NOT COMPARED with zlib !!" >&2
			continue
		fi
		mkdir -p .build-fuzz/found/$$target
		seeds=$$target
		if [ $$target = inflaters ]; then seeds=archive; fi
		if [ $$target = document ]; then seeds=container; fi
		FUZZ_TARGET=$$target .build-fuzz/release/Fuzz .build-fuzz/found/$$target Tests/Fuzz/seeds/$$seeds \
			-max_total_time=$(FUZZ_SECONDS) -timeout=5 -max_len=8192 -print_final_stats=1 \
			-artifact_prefix=.build-fuzz/found/$$target- 2> .build-fuzz/$$target.log \
			|| { echo "$$target: a finding, see .build-fuzz/$$target.log"; exit 1; }
		echo "$$target: $$(grep -E 'number_of_executed_units|^#.* DONE ' .build-fuzz/$$target.log | tail -2 | xargs)"
	done

# Options for Benchmarks/run.py.
BENCH :=

bench: can-bench build build-mint ## measure speed beside other programs: BENCH="--cases plain --runs 9"
	@MILL=$(MILL) Benchmarks/run.py $(BENCH)

docs: can-test ## write the pages that are made of what they describe: commands, pipeline files, views
	@swift build --product receiptmill $(TRAITS) $(QUIET)
	folder=$$(mktemp -d)
	.build/debug/receiptmill ingest data-samples/receipts-001.jsonl.gz --trust data-samples/root.pem \
		--database $$folder/mill.sqlite --no-refresh --quiet
	sqlite3 -list $$folder/mill.sqlite < docs/data-dictionary.sql > docs/data-dictionary.md
	rm -r $$folder
	help() { COLUMNS=100 .build/debug/receiptmill "$$@" --help-all </dev/null; }
	{
		echo "# Command line"
		echo
		echo "For who types a command or writes a script: which options does each command have? Written by \`make docs\` from the commands' own help; change it there."
		for command in "" $$(help | awk '/ SUBCOMMANDS:/ { found = 1 } found && /^  [a-z]/ { print $$1 }'); do
			printf '\n## receiptmill%s\n\n```text\n' "$${command:+ $$command}"
			help $$command | sed -e :a -e '/^\n*$$/{$$d;N;ba' -e '}'
			printf '```\n'
		done
	} > docs/command-line.md
	{
		echo "# Pipeline files"
		echo
		echo "For operators: which keys may a pipeline file have? Written by \`make docs\` from the schema by which they are read. [nightly.yaml](../pipelines/nightly.yaml) is an example that has them all."
		echo
		echo "\`\$${NAME}\` in a value is an environment variable; one that is not set, or holds nothing but blanks, is an error. A relative path starts at the folder of the file."
		echo
		.build/debug/receiptmill run --describe
	} > docs/pipeline-files.md
	RECEIPTMILL_WRITE_DOCS=1 swift test $(TRAITS) $(QUIET) --filter FieldPageTests

clean: ## remove what was built, and the demo
	@rm -rf .build .build-asan .build-mint .build-tsan .build-ubsan .build-fuzz demo

# Makes a virtual environment with packages of PyPI, unless it is there; false
# where they can't be had.
define in-environment
	{ [ -x $(1)/bin/python ] && [ "$$(cat $(1)/packages 2>/dev/null)" = "$(2)" ] || {
		rm -rf $(1) && mkdir -p demo && python3 -m venv $(1) && $(1)/bin/pip install --quiet $(foreach one,$(2),'$(one)') \
			&& echo "$(2)" > $(1)/packages
	}; }
endef

.ONESHELL:
