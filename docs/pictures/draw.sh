#!/usr/bin/env bash
# Draws the pictures of these pages again, from bundled recordings only: docs/pictures/draw.sh [GLOVEBOX]
#
# A few minutes; no display is needed. Not drawn here: headset-panel.png (saved by tests/runtime from the images of the
# eyes) and paper-cab.png (figures of `glovebox bench chains`, put together).
set -euo pipefail
pictures=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=$(realpath "${1:-$pictures/../../build/release/bin/glovebox}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

draw() { echo "$1"; "$program" "${@:2}" --headless --force --screenshot "$pictures/$1" >"$work/out" || { cat "$work/out"; exit 1; }; }

# The window's start page: small enough to be built in.
start() {
    echo "start/$1"
    "$program" video "$1" --from "$2" --to "$2" --camera "$3" --size 256x144 --no-captions -o "$work/start-$1" >/dev/null
    ffmpeg -v error -y -i "$work/start-$1/000001.png" -q:v 3 "$pictures/../../vr/ui/start/$1.jpg"
}
for each in flick:2.9:follow grasp:3.9:follow type:1.322:follow lift:3.9:follow insert:2.9:follow turn:2.6:fixed \
    explore:3.6:follow stroke:2.98:follow carry:4.2:fixed fetch:2.9:follow; do
    IFS=: read -r name at_s camera <<<"$each"
    start "$name" "$at_s" "$camera"
done

draw window.png replay flick --size 1920x1080
"$program" touches carry --figure "$pictures/touches.svg" >/dev/null
"$program" video carry --from 1.2 --to 7.4 --rate 2 --size 480x270 --fps 12 --force -o "$pictures/carry.gif" >/dev/null
# The page as Chromium shows it, where that is installed.
"$program" digest carry -o carry.html >/dev/null
command -v chromium >/dev/null && chromium --headless --no-sandbox --use-angle=swiftshader --enable-unsafe-swiftshader \
    --user-data-dir="$work/profile" --window-size=1000,1150 --virtual-time-budget=4000 --screenshot="$pictures/digest.png" \
    "file://$work/carry.html#t=4.2" >/dev/null 2>&1
draw replay.png replay grasp
"$program" convert grasp grasp.bvh >/dev/null
draw recordings.png replay grasp.bvh --scene held-ball
draw labels.png replay lift --size 1600x900
draw faults.png replay grasp --inject nan@2s+400ms --at 2.2

# A finger that is tracked inside of what does not give way.
cat >block.toml <<'TOML'
name = "block"
[[object]]
name = "block"
shape = "box"
half_m = [0.06, 0.02, 0.06]
rounding_m = 0.002
position_m = [-0.043, 0.015, 0.0]
color = "#D9B98C"
TOML
draw ghost.png replay type --scene block.toml --at 1.411

# A glove that is not there: the recording plays it through a pipe, and what was read is drawn.
"$program" emulate grasp --as opengloves --to pipe --path glove.pipe --rate 4x >/dev/null 2>&1 &
for _ in $(seq 50); do [ -e glove.pipe ] && break; sleep 0.1; done
"$program" live glove.pipe --hand right --record glove.glove --seconds 4 >/dev/null
wait
draw gloves.png replay glove.glove --scene held-ball

for scene in keyboard:type cup-to-grasp:lift peg-in-hole:insert valve:turn room-scan:explore texture-board:stroke two-hands:carry \
    out-of-reach:fetch; do
    draw "scenes/${scene%:*}.png" replay "${scene#*:}"
done
# The panel over an application: where the tests are built and Xvfb is installed.
client=$(dirname "$program")/hand_runtime_client
if [ -x "$client" ] && command -v xvfb-run >/dev/null; then
    echo layer-panel.png
    XR_RUNTIME_JSON=$(dirname "$program")/../runtime/hand_test_runtime.json xvfb-run -a -s "-screen 0 1280x720x24" "$program" layer run \
        --replay grasp --see held-ball --see-picture "$pictures/layer-panel.png" --force -- "$client" --opengl --frames 405 >/dev/null
fi
# Both eyes of a headset: where the test runtime is built and Xvfb is installed.
runtime=$(dirname "$program")/../runtime
if [ -e "$runtime/libhand_test_runtime.so" ] && command -v xvfb-run >/dev/null; then
    echo headset.png
    cat >eyes.txt <<'SCRIPT'
without XR_FB_hand_tracking_mesh
noise 0.0002
head 0 1.5 0 pitch -31
hand left key 0 -0.085 1.205 -0.27 yaw -12 pitch -12 curl 0.25 thumb 0.2
hand right key 0 0.065 1.205 -0.27 yaw 12 pitch -12 curl 0.25 thumb 0.2
fov left -38 28 32 -30
fov right -43 23 32 -30
eye_size 640 640
eyes . 40
SCRIPT
    XR_RUNTIME_JSON=$runtime/hand_test_runtime.json HAND_RUNTIME_SCRIPT=eyes.txt HAND_RUNTIME_LOG=runtime.log \
        xvfb-run -a "$program" vr --scene held-ball --frames 40 >/dev/null
    ffmpeg -v error -y -i eye_left_000040.png -i eye_right_000040.png \
        -filter_complex "[0]pad=iw+10:ih:0:0:white[left];[left][1]hstack" -pix_fmt rgb24 "$pictures/headset.png"
fi
draw lab-crowd.png lab crowd
draw lab-rocks.png lab rocks
