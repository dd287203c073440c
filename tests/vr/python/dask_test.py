"""label_many() on a local cluster of processes against the program on one machine. A worker is killed meanwhile."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import distributed
import glovebox as gb
import pytest

PROGRAM = os.environ.get("GLOVEBOX_PROGRAM", "glovebox")
SHORT = ["flick", "grasp", "type", "lift", "insert", "turn"]


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dask")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None,
                                  local_directory=folder) as cluster, distributed.Client(cluster) as made:
        yield made


@pytest.fixture
def takes(tmp_path, monkeypatch):
    """Recordings, one of them invalid, with paths relative to the test's folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.csv").write_text("this is,no recording\n")
    return [*SHORT, "broken.csv"]


@pytest.fixture
def slow_program(tmp_path):
    """The program with a delay of half a second, so that a worker can be killed while it waits for the program."""
    script = tmp_path / "slow-glovebox"
    script.write_text(f'#!/bin/sh\nsleep 0.5\nexec "{PROGRAM}" "$@"\n')
    script.chmod(0o755)
    return str(script)


def one_machine(takes):
    done = subprocess.run([PROGRAM, "label", *takes, "-o", "one.csv"], capture_output=True)
    assert done.returncode == 1 and b"skipped broken.csv" in done.stderr, done.stderr  # it was named
    return Path("one.csv").read_bytes(), Path("one.csv.card.json").read_bytes()


def test_many_machines_write_what_one_does(client, takes):
    labels = gb.label_many(takes, client, program=PROGRAM)
    assert (labels.labelled, labels.resumed, labels.skipped) == (len(SHORT), 0, 1)
    table, card = one_machine(takes)
    assert len(table) > 100_000
    assert Path(labels.table).read_bytes() == table and Path(labels.card).read_bytes() == card

    assert not Path("labels.csv.parts").exists()

    # Interrupted when every third recording was labelled, and started again.
    subprocess.run([PROGRAM, "label", *takes, "-o", "labels.csv", "--shard", "3/3"], check=True)
    again = gb.label_many(takes, client, program=PROGRAM)
    assert (again.labelled, again.resumed, again.skipped) == (len(SHORT) - 2, 2, 1)
    assert Path(labels.table).read_bytes() == table and Path(labels.card).read_bytes() == card


def test_a_killed_worker_loses_and_doubles_nothing(client, takes, slow_program):
    parts = Path("labels.csv.parts")
    killed = []

    def kill_one_that_works():
        while not killed:
            if parts.is_dir() and any(parts.glob("*.csv")):
                pids = client.run(os.getpid)
                for worker, tasks in client.processing().items():
                    if tasks and len(list(parts.glob("*.csv"))) < len(takes):
                        killed.append(pids[worker])
                        os.kill(pids[worker], signal.SIGKILL)
                        return
            time.sleep(0.02)

    thread = threading.Thread(target=kill_one_that_works, daemon=True)
    thread.start()
    labels = gb.label_many(takes, client, program=slow_program)
    thread.join(10)
    assert len(killed) == 1 and killed[0] not in client.run(os.getpid).values()
    assert labels.labelled + labels.resumed == len(SHORT) and labels.skipped == 1
    table, card = one_machine(takes)
    assert Path(labels.table).read_bytes() == table and Path(labels.card).read_bytes() == card


def test_a_straggler_delays_no_other_recording(client, takes, tmp_path):
    # The first shard waits until all others have ended, at most a minute.
    script = tmp_path / "straggling-glovebox"
    script.write_text('#!/bin/sh\nfor last; do :; done\nif [ "$last" = 1/7 ]; then\n'
                      'for i in $(seq 300); do [ "$(cat ended-* 2>/dev/null | wc -l)" -lt 6 ] && sleep 0.2; done\nfi\n'
                      f'"{PROGRAM}" "$@"\ncode=$?\necho "$last" | tee -a order.txt >"ended-$(echo "$last" | tr / -)"\n'
                      'exit $code\n')
    script.chmod(0o755)
    labels = gb.label_many(takes, client, shards=7, program=str(script))
    order = Path("order.txt").read_text().split()
    assert set(order[:-2]) == {f"{shard}/7" for shard in range(2, 8)} and order[-2:] == ["1/7", "labels.csv"]
    table, card = one_machine(takes)
    assert Path(labels.table).read_bytes() == table and Path(labels.card).read_bytes() == card


def test_a_part_that_another_program_writes_is_waited_for(client, takes, tmp_path):
    script = tmp_path / "flaky-glovebox"
    script.write_text('#!/bin/sh\nfor last; do :; done\nif mkdir "refused-$(echo "$last" | tr / -)" 2>/dev/null; then\n'
                      f'echo "another program is writing it" >&2\nexit 1\nfi\nexec "{PROGRAM}" "$@"\n')
    script.chmod(0o755)
    with pytest.raises(RuntimeError, match="another program"):  # of the merge, beside which nothing else should write
        gb.label_many(["flick", "grasp"], client, program=str(script))
    assert {folder.name for folder in Path().glob("refused-*")} == {"refused-1-2", "refused-2-2", "refused-labels.csv"}
    assert gb.label_many(["flick", "grasp"], client, program=str(script)).resumed == 2


def test_errors_come_out(client, takes):
    with pytest.raises(RuntimeError, match="no-such-scene"):
        gb.label_many(takes, client, options=["--scene", "no-such-scene"], program=PROGRAM)
    with pytest.raises(RuntimeError, match="--hand"):
        gb.label_many(takes, client, options=["--hand", "third"], program=PROGRAM)


if __name__ == "__main__":
    sys.exit(pytest.main([__file__, "-q"]))
