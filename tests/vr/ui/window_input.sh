#!/usr/bin/env bash
# Real mouse and keyboard input to the real window, on a separate X server: window_input.sh GLOVEBOX
#
# xdotool sends the input, the framebuffer file of Xvfb shows whether the picture changed, the report has the selection.
# Exit 77 (skipped) without Xvfb or xdotool. KEEP=FOLDER keeps the report and a picture (XWD) after each step.
set -u
program=$1
for tool in Xvfb xdotool; do
    command -v $tool >/dev/null || { echo "skipped: no $tool here"; exit 77; }
done
folder=$(mktemp -d)
server="" window=""
cleanup() {
    [ -z "$window" ] || kill "$window" 2>/dev/null
    [ -z "$server" ] || kill "$server" 2>/dev/null
    wait 2>/dev/null
    rm -rf "$folder"
}
trap cleanup EXIT

Xvfb -displayfd 3 -screen 0 1280x720x24 -fbdir "$folder" -nolisten tcp 3>"$folder/number" >/dev/null 2>&1 &
server=$!
for _ in $(seq 100); do [ -s "$folder/number" ] && break; sleep 0.1; done
[ -s "$folder/number" ] || { echo "skipped: Xvfb does not start here"; exit 77; }
export DISPLAY=:$(cat "$folder/number")

"$program" replay flick --report "$folder/report.json" >"$folder/out" 2>&1 &
window=$!

picture() { md5sum <"$folder/Xvfb_screen0"; }
# The scene is redrawn at full quality when nothing moves; the picture is settled once it no longer changes.
settled() {
    local before now=none
    for _ in $(seq 60); do
        before=$now
        sleep 0.5
        now=$(picture)
        [ "$now" = "$before" ] && return
    done
    echo "FAILED: the picture never comes to rest"
    exit 1
}
failures=0
step=0
# answers WHAT COMMAND...: expects a different settled picture after the command.
answers() {
    local what=$1 before
    shift
    before=$(picture)
    "$@"
    for _ in $(seq 40); do
        sleep 0.1
        [ "$(picture)" = "$before" ] || break
    done
    if [ "$(picture)" = "$before" ]; then
        echo "FAILED: $what changes nothing"
        failures=$((failures + 1))
    else
        echo "ok: $what"
    fi
    step=$((step + 1))
    [ -z "${KEEP:-}" ] || { sleep 3; cp "$folder/Xvfb_screen0" "$KEEP/$(printf %02d $step)-${what// /-}.xwd"; }
}
click() { xdotool mousemove "$1" "$2" click 1; }
drag() { xdotool mousemove "$1" "$2" mousedown 1 mousemove_relative "$3" "$4" mousemove_relative "$3" "$4" mouseup 1; }

# Without a window manager, the keyboard focus must be set explicitly.
timeout 30 xdotool search --sync --onlyvisible --name Glovebox windowfocus --sync 2>/dev/null
sleep 1.5
answers "it plays by itself" sleep 0.3
xdotool key space
settled
answers "a click on the track goes there" click 600 655
answers "a click on a lane goes there" click 500 600
answers "dragging turns" drag 400 300 60 10
answers "the wheel zooms" xdotool mousemove 400 300 click 4
answers "right steps a frame" xdotool key Right
answers "B shows the next level" xdotool key b
answers "M opens more" xdotool key m
answers "M closes what it opened" xdotool key m
answers "M opens more again" xdotool key m
answers "a click beside it closes more" click 200 200
answers "F1 shows the keys" xdotool key F1
answers "Escape closes them" xdotool key Escape
answers "Escape asks before leaving" xdotool key Escape
answers "Escape stays" xdotool key Escape
answers "F goes with the hand" xdotool key f
answers "R shows all" xdotool key r
answers "V looks from the front" xdotool key v
answers "D shows the colliders" xdotool key d
answers "T shows a box test" xdotool key t
answers "T goes on" xdotool key t t t
answers "shift T goes back" xdotool key shift+t
answers "T held goes on" sh -c 'xdotool keydown t; sleep 1; xdotool keyup t'
answers "Escape ends the steps" xdotool key Escape
answers "Tab hides the panel" xdotool key Tab
answers "Tab shows the panel" xdotool key Tab
answers "a click chooses a method" click 1010 95
settled
answers "space plays" xdotool key space
xdotool key 3
sleep 0.5
answers "F11 changes nothing less than the screen" xdotool key F11
xdotool key q
for _ in $(seq 50); do kill -0 "$window" 2>/dev/null || break; sleep 0.1; done
if kill -0 "$window" 2>/dev/null; then
    echo "FAILED: Q does not quit"
    exit 1
fi
wait "$window"
code=$?
window=""
[ "$code" -eq 0 ] || { echo "FAILED: exit code $code"; cat "$folder/out"; exit 1; }
[ -z "${KEEP:-}" ] || cp "$folder/report.json" "$folder/out" "$KEEP"
third=$("$program" methods | sed -n 3p | cut -d' ' -f1)
grep -q "\"method\": \"$third\"" "$folder/report.json" || { echo "FAILED: key 3 does not choose $third"; failures=$((failures + 1)); }

# The start page opens another recording in the same window.
"$program" replay flick >"$folder/out" 2>&1 &
window=$!
timeout 30 xdotool search --sync --onlyvisible --name Glovebox windowfocus --sync 2>/dev/null
sleep 1.5
xdotool key space
settled
answers "N shows what there is to open" xdotool key n
answers "a picture opens its recording" click 475 240
timeout 30 xdotool search --sync --onlyvisible --name "Glovebox: grasp" >/dev/null || {
    echo "FAILED: no window has the name of the recording that was opened"
    failures=$((failures + 1))
}
sleep 0.5
xdotool key q
wait "$window"
code=$?
window=""
[ "$code" -eq 0 ] || { echo "FAILED: exit code $code after the start page"; failures=$((failures + 1)); }
grep -q "^grasp " "$folder/out" || { echo "FAILED: the picture does not open grasp"; cat "$folder/out"; failures=$((failures + 1)); }

# Q ends at once, also while the first recording is still being read.
mkfifo "$folder/never"
sleep 60 >"$folder/never" &
writer=$!
"$program" replay - <"$folder/never" >"$folder/out" 2>&1 &
window=$!
timeout 30 xdotool search --sync --onlyvisible --name Glovebox windowfocus --sync 2>/dev/null
sleep 0.5
xdotool key q
for _ in $(seq 50); do kill -0 "$window" 2>/dev/null || break; sleep 0.1; done
if kill -0 "$window" 2>/dev/null; then
    echo "FAILED: Q waits for the recording"
    failures=$((failures + 1))
else
    wait "$window" || { echo "FAILED: exit code $? after Q while reading"; failures=$((failures + 1)); }
    window=""
fi
kill "$writer"
[ "$failures" -eq 0 ]
