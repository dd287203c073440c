#!/usr/bin/env bash
# Checks every recording of a folder completely: reads and diagnoses it, converts it to each format and back, replays it
# with every method and renders a picture. Slow and thorough; the tests do the same with slices.
#   tests/recordings/check_recordings.sh build/release/bin/glovebox FOLDER OUT
set -uo pipefail
program=$(realpath "${1:?usage: check_recordings.sh PROGRAM FOLDER OUT}")
folder=$(realpath "${2:?the folder of recordings}")
out=${3:?a folder for what is written}
mkdir -p "$out"
failures=0
printf '%-46s %8s %8s %6s %6s %6s %6s %6s\n' recording frames check csv jsonl glove bvh picture
for file in "$folder"/*; do
    name=$(basename "$file")
    if ! "$program" doctor "$file" >"$out/$name.doctor.txt" 2>"$out/$name.error.txt"; then
        printf '%-46s %s\n' "$name" "$(sed "s|.*$name[:0-9]*: ||" "$out/$name.error.txt" | cut -c1-90)"
        continue
    fi
    if grep -q 'the motion of one object' "$out/$name.doctor.txt"; then
        printf '%-46s %s\n' "$name" "the motion of one object"
        continue
    fi
    row=""
    for ending in csv jsonl glove bvh; do
        copy=$out/$name.copy.$ending
        tolerance=""
        if [ $ending = bvh ]; then
            # BVH cannot store everything: the first conversion loses the rest, and later ones change nothing.
            "$program" convert "$file" "$out/$name.first.bvh" >/dev/null 2>>"$out/$name.error.txt"
            compare=$out/$name.first.bvh
            tolerance="--position-mm 0.001 --angle-deg 0.06 --time-ms 0.001"
        else
            compare=$file
        fi
        if "$program" convert "$compare" "$copy" >/dev/null 2>>"$out/$name.error.txt" &&
            "$program" diff "$compare" "$copy" $tolerance >>"$out/$name.error.txt"; then
            row="$row same"
        else
            row="$row DIFFERS"
            failures=$((failures + 1))
        fi
        rm -f "$copy"
    done
    rm -f "$out/$name.first.bvh"
    frames=$(sed -n 's/^  \([0-9]*\) samples in .*/\1/p' "$out/$name.doctor.txt")
    check=passed
    if ! "$program" replay "$file" --scene held-ball --headless --check >"$out/$name.replay.txt" 2>&1; then
        check=FAILED
        failures=$((failures + 1))
    fi
    picture=drawn
    if ! "$program" replay "$file" --scene held-ball --headless --screenshot "$out/$name.png" >/dev/null 2>&1; then
        picture=NONE
        failures=$((failures + 1))
    fi
    printf '%-46s %8s %8s %6s %6s %6s %6s %6s\n' "$name" "$frames" $check $row $picture
done
echo "$failures failures"
[ "$failures" -eq 0 ]
