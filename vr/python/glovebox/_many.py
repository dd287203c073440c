"""Labels of many recordings on many machines: shards of ``glovebox label`` as tasks of a Dask cluster."""

from __future__ import annotations

import os
import re
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, List, Optional, Sequence, Tuple, Union

Counts = Tuple[int, int, int]
# A killed worker may leave its program behind, which goes on with the part that another worker is told to make. One of
# the two is refused, waits, and finds the part made.
_REFUSED = "another program"
_PAUSES_S = (1.0, 4.0, 16.0)


@dataclass(frozen=True)
class Labels:
    """What ``label_many`` wrote: the table and its data card, and how many recordings were labelled, were there from an
    earlier run, and could not be read (the card says why)."""

    table: str
    card: str
    labelled: int
    resumed: int
    skipped: int


def label_many(paths: Sequence[Union[str, "os.PathLike[str]"]], client: Any,
               output: Union[str, "os.PathLike[str]"] = "labels.csv", *, shards: Optional[int] = None,
               options: Sequence[str] = (), program: str = "glovebox") -> Labels:
    """Labels recordings on the workers of a Dask cluster: byte for byte what ``glovebox label`` writes on one machine.

    paths: recordings, bundled ones by name, or folders. output: a .csv, .json or .glove file. Both are from this folder
    on, which all workers share.
    client: a ``distributed.Client``. A worker that dies is made up for by the others: each recording's part is written
    whole or not at all. After an interruption the same call goes on where it was.
    shards: number of tasks; by default one per recording, at most 16 per thread of the cluster.
    options: more options of ``glovebox label``, such as ["--scene", "held-ball"].
    program: the program on the workers. Raises RuntimeError with what it says."""
    inputs = [os.fspath(path) for path in paths]
    out, folder = os.fspath(output), os.getcwd()
    if shards is None:
        recordings = sum(sum(len(files) for _, _, files in os.walk(path)) if os.path.isdir(path) else 1 for path in inputs)
        shards = max(1, min(recordings, 16 * sum(client.nthreads().values())))
    command = [program, "label", *inputs, *options, "--jobs", "1", "-o", out]
    futures = client.map(_label_shard, [[*command, "--shard", f"{i + 1}/{shards}"] for i in range(shards)],
                         folder=folder, pure=False)
    try:
        counts: List[Counts] = client.gather(futures)
    finally:
        client.cancel(futures)
    force = ["--force"] if "--force" in options else []
    merged = _run([program, "label", "--merge", "-o", out, *force], folder)
    if merged.returncode != 0:
        raise RuntimeError(_reason(merged))
    labelled, resumed, skipped = (sum(column) for column in zip(*counts))
    return Labels(out, out + ".card.json", labelled, resumed, skipped)


def _run(command: Sequence[str], folder: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _reason(done: subprocess.CompletedProcess[str]) -> str:
    return done.stderr.strip() or f"{done.args[0]} ended with {done.returncode}"


def _label_shard(command: Sequence[str], folder: str) -> Counts:
    """On a worker: runs one shard. Returns what it counted; a shard of unreadable recordings alone is no error."""
    for pause_s in (*_PAUSES_S, None):
        done = _run(command, folder)
        said = re.search(r"^(\d+) labelled, (\d+) were there already, (\d+) skipped$", done.stdout, re.MULTILINE)
        if said:
            labelled, resumed, skipped = map(int, said.groups())
            return labelled, resumed, skipped
        if pause_s is None or _REFUSED not in done.stderr:
            break
        time.sleep(pause_s)
    raise RuntimeError(_reason(done))
