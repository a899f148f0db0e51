#!/usr/bin/env python3
"""Measures other stores with the same samples: SQLite with one row per sample, and DuckDB if it is installed.

Usage: store.py [SAMPLES]. The samples are those of `Benchmarks store`: heart rate at 1 Hz that wanders.
"""
import os
import sqlite3
import sys
import tempfile
import time

TOTAL = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
START = 700_000_000 - 700_000_000 % 86400
MASK = (1 << 64) - 1


def samples():
    state, rate = 1, 120
    for second in range(TOTAL):
        state = (state * 6364136223846793005 + 1442695040888963407) & MASK
        rate = min(180, max(60, rate + (state >> 60) % 5 - 2))
        yield START + second, rate


def milliseconds(work, runs=5):
    times = []
    for _ in range(runs):
        begun = time.perf_counter()
        work()
        times.append((time.perf_counter() - begun) * 1000)
    return sorted(times)[runs // 2]


def row_per_sample(folder):
    path = os.path.join(folder, "rows.sqlite")
    db = sqlite3.connect(path)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("CREATE TABLE sample (start REAL NOT NULL, value REAL NOT NULL)")
    begun = time.perf_counter()
    db.executemany("INSERT INTO sample VALUES (?, ?)", samples())
    db.execute("CREATE INDEX byStart ON sample(start)")
    db.commit()
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    print(f"sqlite rows: save {TOTAL / (time.perf_counter() - begun) / 1e6:.2f} million samples/s")
    print(f"sqlite rows: {os.path.getsize(path) / TOTAL:.2f} B a sample")
    for name, width in (("hourly", 3600), ("daily", 86400)):
        query = f"SELECT CAST((start - {START}) / {width} AS INTEGER), AVG(value) FROM sample GROUP BY 1"
        print(f"sqlite rows: {name} average {milliseconds(lambda: db.execute(query).fetchall(), 3):.1f} ms")
    newest = "SELECT * FROM sample ORDER BY start DESC LIMIT 20"
    print(f"sqlite rows: newest 20 {milliseconds(lambda: db.execute(newest).fetchall()):.3f} ms")


def duck(folder):
    try:
        import duckdb
        import numpy
    except ImportError:
        print("duckdb: not installed (pip install duckdb numpy)")
        return
    path = os.path.join(folder, "samples.duckdb")
    db = duckdb.connect(path)
    columns = numpy.fromiter(samples(), dtype=[("start", "f8"), ("value", "f8")], count=TOTAL)
    start, value = columns["start"].copy(), columns["value"].copy()
    made = {"start": start, "value": value}  # found by its name in the query
    db.execute("CREATE TABLE sample AS SELECT * FROM made")
    db.execute("CHECKPOINT")
    print(f"duckdb: {os.path.getsize(path) / TOTAL:.2f} B a sample")
    for name, width in (("hourly", 3600), ("daily", 86400)):
        query = f"SELECT floor((start - {START}) / {width}) AS bucket, avg(value) FROM sample GROUP BY bucket"
        print(f"duckdb: {name} average {milliseconds(lambda: db.execute(query).fetchall()):.1f} ms")
    newest = "SELECT * FROM sample ORDER BY start DESC LIMIT 20"
    print(f"duckdb: newest 20 {milliseconds(lambda: db.execute(newest).fetchall()):.3f} ms")


with tempfile.TemporaryDirectory() as folder:
    row_per_sample(folder)
    duck(folder)
