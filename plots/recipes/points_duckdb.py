"""Mean of a metric at each point of a sweep, with DuckDB: points_duckdb.py SWEEP METRIC.

The query runs in DuckDB's own shell as well, the paths and the metric put in. A large table is smaller and faster as
Parquet: COPY (FROM 'out/scalars.csv') TO 'scalars.parquet'.
"""

import csv
import sys

import duckdb
from scipy.stats import t

sweep, metric = sys.argv[1:]
connection = duckdb.connect()
for name, value in {"scalars": f"{sweep}/scalars.csv", "runs": f"{sweep}/runs.csv", "metric": metric}.items():
    connection.execute(f"SET VARIABLE {name} = ?", [value])
points = connection.sql(
    """
    WITH per_run AS (
      SELECT run_id, avg(value) AS value
      FROM read_csv(getvariable('scalars'))
      WHERE scope = 'tile' AND metric = getvariable('metric') AND stat <> 'max'
      GROUP BY run_id
    )
    SELECT COLUMNS('^p_.*'), count(value) AS n, avg(value) AS mean, stddev_samp(value) AS sd
    FROM read_csv(getvariable('runs')) JOIN per_run USING (run_id)
    GROUP BY ALL ORDER BY ALL
    """
)
out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow([*points.columns[:-1], "half_width"])
for *values, n, mean, sd in points.fetchall():
    out.writerow([*values, n, mean, t.ppf(0.975, n - 1) * sd / n**0.5])
