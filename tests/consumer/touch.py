# What a hand touches, in Python: what README.md shows.
import sys

import glovebox as gb

rec = gb.open(sys.argv[1] if len(sys.argv) > 1 else "flick")
run = gb.replay(rec, scene="table-and-ball")
for row in run.touches.by("finger"):
    print(row["hand"], row["finger"], row["object"], row["count"], "times,", f"{row['total_s']:.2f} s")
