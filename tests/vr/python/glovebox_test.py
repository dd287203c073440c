"""The Python module against brute force and the program, and with invalid arguments."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import glovebox as gb
import numpy as np
import pytest


def icosphere(subdivisions=3, radius_m=0.1):
    """Makes a ball of triangles; every vertex is on the sphere."""
    golden = (1 + 5**0.5) / 2
    vertices = [(-1, golden, 0), (1, golden, 0), (-1, -golden, 0), (1, -golden, 0), (0, -1, golden), (0, 1, golden),
                (0, -1, -golden), (0, 1, -golden), (golden, 0, -1), (golden, 0, 1), (-golden, 0, -1), (-golden, 0, 1)]
    triangles = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2),
                 (10, 7, 6), (7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5), (2, 4, 11),
                 (6, 2, 10), (8, 6, 7), (9, 8, 1)]
    vertices = [np.array(v, float) / np.linalg.norm(v) for v in vertices]
    for _ in range(subdivisions):
        middle, finer = {}, []

        def between(a, b):
            key = (min(a, b), max(a, b))
            if key not in middle:
                v = vertices[a] + vertices[b]
                vertices.append(v / np.linalg.norm(v))
                middle[key] = len(vertices) - 1
            return middle[key]

        for a, b, c in triangles:
            ab, bc, ca = between(a, b), between(b, c), between(c, a)
            finer += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
        triangles = finer
    return gb.Mesh(radius_m * np.array(vertices), triangles)


def distance_to_triangle(p, a, b, c):
    """Returns the unsigned distance, by the regions of the triangle; in double."""
    ab, ac, n = b - a, c - a, np.cross(b - a, c - a)
    h = np.dot(p - a, n) / np.dot(n, n)
    foot = p - h * n
    w = np.array([np.dot(np.cross(c - b, foot - b), n), np.dot(np.cross(a - c, foot - c), n),
                  np.dot(np.cross(ab, foot - a), n)])
    if (w >= 0).all():
        return np.linalg.norm(p - foot)
    best = np.inf
    for u, v in ((a, b), (b, c), (c, a)):
        t = np.clip(np.dot(p - u, v - u) / np.dot(v - u, v - u), 0, 1)
        best = min(best, np.linalg.norm(p - u - t * (v - u)))
    return best


def distances_along(o, d, corners):
    """Returns how far along the ray each triangle is, infinite if the ray passes it; in double."""
    a, ab, ac = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    across, other = np.cross(d, ac), np.cross(o - a, ab)
    volume = np.einsum("ij,ij->i", ab, across)
    u, v = np.einsum("ij,ij->i", o - a, across) / volume, other @ d / volume
    t = np.einsum("ij,ij->i", ac, other) / volume
    return np.where((u >= 0) & (v >= 0) & (u + v <= 1) & (t >= 0), t, np.inf)


# --- recordings


def test_a_recording_is_views_of_its_memory():
    rec = gb.open("flick")
    n = len(rec)
    assert rec.frames.shape == (n, 2, 26, 7) and rec.frames.dtype == np.float32
    assert np.shares_memory(rec.frames, rec.frames) and np.shares_memory(rec.frames, rec.position_m)
    assert rec.time_s.shape == (n,) and (np.diff(rec.time_s) >= 0).all() and rec.time_s[0] == 0.0
    assert rec.valid.shape == rec.radius_m.shape == (n, 2, 26)
    assert not rec.active[:, 0].any() and rec.active[:, 1].all()  # a right hand
    turn = np.linalg.norm(rec.orientation[rec.valid], axis=1)
    assert turn == pytest.approx(1.0, abs=1e-3) and len(turn) > 1000
    with pytest.raises(ValueError):
        rec.frames[0] = 0
    assert rec.duration_s == pytest.approx(rec.time_s[-1])


def test_arrays_outlive_their_recording():
    frames = gb.open("flick").frames
    copy = frames.copy()
    for _ in range(3):
        gb.open("flick")
    assert np.array_equal(frames, copy, equal_nan=True)


def test_errors_say_what_where_and_what_to_do(tmp_path):
    bad = tmp_path / "take.csv"
    bad.write_text("this is,no recording\n")
    with pytest.raises(RuntimeError, match="take.csv"):
        gb.open(bad)
    with pytest.raises(RuntimeError, match="no such file"):
        gb.open("no-such-file")
    with pytest.raises(RuntimeError, match="no-such-scene"):
        gb.Scene.load("no-such-scene")
    with pytest.raises(ValueError, match="none of left, right"):
        gb.open("flick", hand="middle")
    with pytest.raises(ValueError, match="none of"):
        gb.replay("flick", method="magic")


# --- replays


@pytest.mark.skipif(not os.environ.get("GLOVEBOX_PROGRAM"), reason="the program is not built")
@pytest.mark.parametrize("name,filter", [("flick", None), ("grasp", "one-euro:2,20"), ("carry", None)])
def test_a_replay_is_the_programs(name, filter, tmp_path):
    if name not in gb.recordings():
        pytest.skip(f"no bundled recording {name}")
    report = tmp_path / "report.json"
    subprocess.run([os.environ["GLOVEBOX_PROGRAM"], "replay", name, "--headless", "--report", report,
                    *(["--filter", filter] if filter else [])], check=True, cwd=tmp_path, stdout=subprocess.DEVNULL)
    told = json.loads(report.read_text())
    run = gb.replay(name, filter=filter)
    assert filter is None or gb.replay(name).state_hash != run.state_hash
    assert f"{run.state_hash:016x}" == told["state_hash"]
    assert run.scene == told["scene"] if isinstance(told["scene"], str) else True
    counts = np.bincount(run.events["kind"], minlength=len(gb.EVENT_KINDS))
    for kind, count in told["event_counts"].items():
        if not kind.endswith("_stay") and kind != "suppressed":
            assert counts[gb.EVENT_KINDS.index(kind)] == count, kind
    by_finger = {(r["hand"], r["finger"], r["object"]): r for r in run.touches.by("finger")}
    assert len(by_finger) == len(told["touches"]) > 0
    for row in told["touches"]:
        ours = by_finger[row["hand"], row["finger"], row["object"]]
        assert ours["count"] == row["count"]
        assert ours["total_s"] == pytest.approx(row["total_s"], abs=1e-6)
        assert ours["longest_s"] == pytest.approx(row["longest_s"], abs=1e-6)


def test_a_replay_gives_structured_arrays():
    calls = []
    run = gb.replay("flick", progress=lambda done, total: calls.append((done, total)))
    n = len(run.time_s)
    assert calls[-1] == (n, n)
    assert (run.contacts["frame"] < n).all() and len(run.contacts) > 100
    step = run.contacts["on_object_m"] - run.contacts["on_hand_m"]
    along = run.contacts["distance_m"][:, None] * run.contacts["normal"]
    assert np.abs(step - along).max() < 1e-4
    assert np.linalg.norm(run.contacts["normal"], axis=1) == pytest.approx(1.0, abs=1e-3)
    begins = (run.events["kind"] == gb.EVENT_KINDS.index("touch_begin")).sum()
    assert begins > 0 and len(run.touches) <= begins
    touches = run.touches.array
    assert (touches["end_s"] >= touches["begin_s"]).all() and touches["deepest_m"].max() > 0
    assert set(run.touches.by("object")["object"]) <= set(run.objects)
    assert run.touches.by("hand")["count"].sum() == len(touches)
    with pytest.raises(ValueError, match="none of finger"):
        run.touches.by("toe")
    assert run.stages_us["total"]["p50"] > 0
    assert len(gb.replay("flick", contacts=False).contacts) == 0


def test_a_replay_of_the_same_input_is_the_same():
    first, second = gb.replay("flick"), gb.replay("flick")
    assert np.array_equal(first.state_hashes, second.state_hashes)
    assert len(np.unique(first.state_hashes)) > 10


def test_an_error_in_progress_comes_out():
    def fail(done, total):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        gb.replay("flick", progress=fail)


def test_ctrl_c_ends_long_work():
    tree = icosphere(4).tree()
    points = np.random.default_rng(1).uniform(-1, 1, (500_000, 3))
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores the signal
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            for _ in range(300):
                tree.nearest(points)
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)


def test_other_threads_run_meanwhile():
    tree = icosphere(4).tree()
    points = np.random.default_rng(1).uniform(-1, 1, (200_000, 3))
    ticks, done = [], threading.Event()

    def count():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    before = time.monotonic()
    tree.nearest(points)
    after = time.monotonic()
    done.set()
    thread.join()
    assert sum(before < tick < after for tick in ticks) > 3


# --- sessions


def test_a_session_sees_what_a_replay_sees():
    rec = gb.open("flick")
    session = gb.Session("table-and-ball")
    run = gb.replay(rec, scene="table-and-ball")
    frames = np.where(rec.active[:, :, None, None], rec.frames, np.nan)
    events = [session.step(frames[i], rec.time_s[i], radius_m=rec.radius_m[i]).events for i in range(len(rec))]
    kinds = np.concatenate(events)["kind"]
    assert np.array_equal(kinds, run.events["kind"])
    session.restart()
    again = [len(session.step(frames[i], rec.time_s[i], radius_m=rec.radius_m[i]).events) for i in range(len(rec))]
    assert again == [len(e) for e in events]


@pytest.mark.parametrize("placement", ["recorded", "fingertips", "wrist"])
def test_a_session_sees_placed_hands_as_a_replay_does(placement, tmp_path):
    # The same take as a file, which was made in no scene.
    made = gb.open("flick")
    lines = ["sample,time_ns,device_ns,hand,source,active," + ",".join(
        f"{joint}_{part}" for joint in gb.JOINTS for part in "x y z qx qy qz qw radius flags".split())]
    for i in range(len(made)):
        numbers = np.c_[made.position_m[i, 1], made.orientation[i, 1], made.radius_m[i, 1], np.full(26, 15)]
        time_ns = round(1e9 * made.time_s[i])
        lines.append(f"{i},{time_ns},{time_ns},right,live,1," + ",".join(f"{number:.9g}" for number in numbers.ravel()))
    (tmp_path / "take.csv").write_text("\n".join(lines) + "\n")
    rec = gb.open(tmp_path / "take.csv")
    scene = gb.Scene("mine")
    assert scene.placement == "fingertips" and scene.anchor_m == pytest.approx((0, 0.06, 0))
    scene.add("ball", gb.capsule((0, 0, 0), (0, 0, 0), 0.03), position_m=(1, 2, 3))
    scene.placement = placement
    scene.anchor_m = (1, 2.03, 3)
    run = gb.replay(rec, scene=scene)
    placed = rec.placed(scene)
    assert placed.shape == rec.frames.shape and np.isnan(placed[:, 0]).all()
    tips = placed[:, 1, [gb.JOINTS.index(f"{finger}_tip") for finger in gb.FINGERS[:5]], 4:].mean(axis=1)
    if placement == "recorded":
        assert np.array_equal(placed[:, 1], rec.frames[:, 1]) and "recorded" in run.placement
    else:
        assert np.median(tips, axis=0) == pytest.approx(scene.anchor_m, abs=5e-3) and len(run.contacts) > 100
    session = gb.Session(scene)
    session.fit_hands(rec)
    steps = [session.step(placed[i], rec.time_s[i], radius_m=rec.radius_m[i]) for i in range(len(rec))]
    contacts = np.concatenate([step.contacts for step in steps])
    assert len(contacts) == len(run.contacts)
    assert contacts["distance_m"] == pytest.approx(run.contacts["distance_m"], abs=1e-6)
    if placement != "wrist":  # there, the guard sees the hand before it is placed
        assert [step.state_hash for step in steps] == run.state_hashes.tolist()
    for wrong in ({"placement": "here"}, {"anchor_m": (1, 2)}, {"anchor_m": (1, 2, np.nan)}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            setattr(scene, *next(iter(wrong.items())))


def test_a_replay_says_where_objects_are():
    run = gb.replay("lift")
    ball = run.objects.index("cup") if "cup" in run.objects else 0
    assert run.object_poses.shape == (len(run.time_s), len(run.objects), 7)
    height_m = run.object_poses[:, ball, 5]
    assert height_m.max() > height_m[0] + 0.05
    assert np.linalg.norm(run.object_poses[..., :4], axis=-1) == pytest.approx(1, abs=1e-3)
    rec, session = gb.open("lift"), gb.Session(run.scene)
    session.fit_hands(rec)
    placed = rec.placed(run.scene)
    for i in range(len(rec)):
        session.step(placed[i], rec.time_s[i], radius_m=rec.radius_m[i])
        assert np.array_equal(session.object_poses, run.object_poses[i])


def test_positions_alone_make_a_hand():
    rec = gb.open("grasp")
    with_turns, without = gb.Session("held-ball"), gb.Session("held-ball")
    contacts = 0
    for i in range(0, len(rec), 5):
        one = with_turns.step(rec.frames[i, 1], rec.time_s[i])
        other = without.step(rec.position_m[i, 1], rec.time_s[i])
        of = [{(c["bone"], c["object"]): c["distance_m"] for c in step.contacts if c["finger"] != 5}
              for step in (one, other)]
        assert of[0] == of[1]  # of the fingers; the flesh of the palm depends on its orientation
        palm = [{c["bone"]: c["distance_m"] for c in step.contacts if c["finger"] == 5} for step in (one, other)]
        for bone in set(palm[0]) & set(palm[1]):
            assert palm[0][bone] == pytest.approx(palm[1][bone], abs=3e-3)
        contacts += len(of[0])
    assert contacts > 300 and without.curl_limits()["known"].all()
    without.fit_hands(rec.position_m[:, 1])
    hand = np.array(rec.position_m[0, 1])
    hand[gb.JOINTS.index("index_tip")] = np.nan
    with pytest.raises(ValueError, match="shape"):
        without.step(hand[:, :2], 99.0)
    assert without.step(hand, 99.0).present[1]


def test_wrong_calls_say_what_to_do(tmp_path):
    recorded = tmp_path / "take.txt"
    recorded.write_text("HIERARCHY\nROOT RightHand\n")
    mesh = icosphere(1)
    tree, scene = mesh.tree(), gb.Scene.load("table-and-ball")
    session, hand = gb.Session(scene), gb.curled_hand()
    at_origin = [0, 0, 0, 1, 0, 0, 0]
    for call, error, because in (
            (lambda: gb.open(""), ValueError, "path is empty"),
            (lambda: gb.open("flick", unit_m="mm"), TypeError, "unit_m: a number"),
            (lambda: gb.open("flick", axes="unit"), ValueError, "axes: 'unit' is none of auto, unity"),
            (lambda: gb.open("flick", axes=3), TypeError, "axes: a text"),
            (lambda: gb.replay("flick", method=3), TypeError, "method: a text"),
            (lambda: gb.Scene(3), TypeError, "name: a text"),
            (lambda: gb.Scene().add(3, tree), TypeError, "name: a text"),
            (lambda: gb.Scene().add("a", mesh), TypeError, "call its tree"),
            (lambda: gb.Scene().add("a", "box"), TypeError, "Shape or a Tree"),
            (lambda: gb.Scene().add("a", tree, position_m=(1, 2)), ValueError, "position_m: 3 numbers"),
            (lambda: gb.Scene().add("a", tree, position_m=(1e30, 0, 0)), ValueError, "position_m"),
            (lambda: gb.Scene().add("a", tree, orientation="up"), ValueError, "orientation: 4 numbers"),
            (lambda: gb.Scene().add("a", tree, mass_kg="heavy"), TypeError, "mass_kg: a number"),
            (lambda: gb.Scene().add("a", tree, motion=1), TypeError, "motion: a text"),
            (lambda: gb.box(1), ValueError, "half_extents_m: 3 numbers"),
            (lambda: gb.box((np.inf, 1, 1)), ValueError, "half_extents_m"),
            (lambda: gb.capsule((np.nan, 0, 0), (0, 0, 0), 0.1), ValueError, "a_m and b_m"),
            (lambda: gb.capsule((0, 0, 0), (0, 0, 0), np.inf), ValueError, "radius"),
            (lambda: gb.capsule((0, 0, 0), (0, 0, 0), "thin"), TypeError, "radius_m: a number"),
            (lambda: gb.curled_hand((0, 0)), ValueError, "curls: 5 numbers"),
            (lambda: gb.curled_hand(position_m=(np.nan, 0, 0)), ValueError, "position_m"),
            (lambda: gb.distance(mesh, tree), TypeError, "call its tree"),
            (lambda: gb.distance(tree, tree, max_distance_m=np.nan), ValueError, "max_distance_m"),
            (lambda: tree.at((1,)), ValueError, "position_m: 3 numbers"),
            (lambda: tree.cast_rays([0, 0], [0, 0, 1]), ValueError, r"\(n, 3\)"),
            (lambda: tree.cast_rays(np.zeros((3, 3)), np.ones((2, 3))), ValueError, r"\(n, 3\)"),
            (lambda: tree.cast_rays([0, 0, 0], [0, 0, 1], length_m=-1), ValueError, "length_m"),
            (lambda: tree.cast_rays([0, 0, 0], [0, 0, 1], length_m="far"), TypeError, "length_m: a number"),
            (lambda: session.step(None, 0), ValueError, "joints: shape"),
            (lambda: session.step(hand, "0"), TypeError, "time_s: a number"),
            (lambda: session.step(hand, time.time()), ValueError, "count seconds from a start"),
            (lambda: session.set_object_pose("bowl", at_origin), ValueError, "'bowl' is none of table, ball"),
            (lambda: session.set_object_pose(0.5, at_origin), TypeError, "object: an index or a name"),
            (lambda: session.set_object_velocity("table", (1, 0, 0)), ValueError, "dynamic"),
            (lambda: session.forces(3), ValueError, "none of left, right"),
            (lambda: session.restore(None), TypeError, "a State is expected"),
            (lambda: gb.Session(gb.open("flick")), TypeError, "not a Recording"),
            (lambda: gb.Scene.load(recorded), RuntimeError, r"a recording \(bvh\), not a scene"),
            (lambda: gb.open("flick", scene=recorded), RuntimeError, "not a scene")):
        with pytest.raises(error, match=because) as told:
            call()
        assert "\n" not in str(told.value)
    session.set_object_pose("table", at_origin)
    session.set_object_velocity("ball", (1, 0, 0))


def test_a_session_in_a_scene_of_ones_own():
    rec = gb.open("flick")
    hand = np.array(rec.frames[0, 1])
    tip = hand[gb.JOINTS.index("index_tip"), 4:]
    scene = gb.Scene("mine")
    scene.add("ball", icosphere(2, 0.03).tree(), position_m=tip)
    scene.add("far", gb.box((0.1, 0.1, 0.1), position_m=tip + [0, -5, 0]))
    session = gb.Session(scene)
    step = session.step(hand, 0.0)
    assert session.objects == ["ball", "far"] and set(step.contacts["object"]) == {0}
    assert step.contacts["distance_m"].min() < 0
    assert gb.FINGERS.index("index") in step.contacts["finger"]
    assert len(session.step(np.full((26, 7), np.nan), 1.0).contacts) == 0
    with pytest.raises(ValueError, match="goes back"):
        session.step(hand, 0.5)
    with pytest.raises(ValueError, match="shape"):
        session.step(hand[:20], 2.0)
    with pytest.raises(ValueError, match="none of left, right"):
        session.step(hand, 2.0, hand="top")
    with pytest.raises(ValueError, match=r"radius_m: .*\(2, 26\)"):
        session.step(np.stack([hand, hand]), 2.0, radius_m=np.zeros(26))
    with pytest.raises(ValueError, match=r"radius_m: .*\(26,\)"):
        session.step(hand, 2.0, radius_m=np.zeros((2, 26)))
    with pytest.raises(ValueError, match="none of fixed"):
        scene.add("what", gb.box((1, 1, 1)), motion="flying")
    for wrong in ({"position_m": (np.nan, 0, 0)}, {"motion": "dynamic", "mass_kg": np.inf}):
        with pytest.raises(ValueError, match=next(reversed(wrong))):
            scene.add("what", gb.box((1, 1, 1)), **wrong)
    assert scene.objects == ["ball", "far"]


BVH_HEAD = """HIERARCHY
ROOT cube
{
OFFSET 0 0 0
CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
End Site
{
OFFSET 0 1 0
}
}
MOTION
Frames: 101
Frame Time: 0.01
"""


def test_a_session_says_where_objects_are(tmp_path):
    (tmp_path / "cube.bvh").write_text(BVH_HEAD + "".join(f"0 0 {0.001 * i} 0 0 0\n" for i in range(101)))
    (tmp_path / "scene.toml").write_text("[hand]\nrecording_axes = 'z-up'\n[[object]]\nname = 'cube'\nshape = 'box'\nmotion = 'recorded'\n"
                                         "track = 'cube.bvh'\ntrack_unit_m = 1.0\n")
    no_hand = np.full((26, 7), np.nan)
    session = gb.Session(tmp_path / "scene.toml")
    for origin_s in (0.0, 5000.0, -1024.0):  # the track begins with the first step
        for i in range(51):
            session.step(no_hand, origin_s + 0.01 * i)
        assert session.object_poses[0, 4:] == pytest.approx([0, 0.05, 0], abs=1e-5)  # up, which is z in the file
        session.restart()
    scene = gb.Scene()
    scene.add("falls", gb.box((0.1, 0.1, 0.1)), position_m=(1, 2, 3), motion="dynamic")
    session = gb.Session(scene)
    assert session.object_poses == pytest.approx(np.array([[0, 0, 0, 1, 1, 2, 3]]))
    for i in range(50):
        session.step(no_hand, 0.01 * i)
    assert session.object_poses[0, 5] == pytest.approx(2 - 9.81 * 0.49**2 / 2, abs=0.03)


def test_a_program_moves_an_object_against_a_resting_hand():
    rec = gb.open("flick")
    hand, radius_m = np.array(rec.frames[0, 1]), rec.radius_m[0, 1]
    tip, before = (hand[gb.JOINTS.index(name), 4:] for name in ("index_tip", "index_distal"))
    outwards = (tip - before) / np.linalg.norm(tip - before)
    scene = gb.Scene("mine")
    scene.add("ball", gb.capsule((0, 0, 0), (0, 0, 0), 0.02))
    session = gb.Session(scene, forces=True)
    # The ball comes to the fingertip with 0.3 m/s until 0.5 s, 11 mm deep, and goes back.
    times = np.arange(91) / 90
    gap_m = -0.0112 + 0.3 * np.abs(times - 0.5)
    reach_m = 0.02 + radius_m[gb.JOINTS.index("index_tip")]
    touches, pushed_n, closed = [], [], []
    for i, time_s in enumerate(times):
        session.set_object_pose(0, [0, 0, 0, 1, *(tip + (gap_m[i] + reach_m) * outwards)])
        # A hand that does not move at all would be taken for a tracker that hangs.
        step = session.step(hand + np.float32(1e-6 * (i % 2)), time_s, radius_m=radius_m)
        touches += [(i, gb.EVENT_KINDS[e["kind"]], e["relative_velocity_m_s"] @ outwards) for e in step.events
                    if e["bone"] == 7 and gb.EVENT_KINDS[e["kind"]] in ("touch_begin", "touch_end")]
        pushed_n.append(session.forces("right")["force_n"] @ outwards)
        closed.append(session.curl_limits("right"))
    first, last = np.flatnonzero(gap_m <= 0)[0], np.flatnonzero(gap_m <= 0.003)[-1]
    assert [row[:2] for row in touches] == [(first, "touch_begin"), (last + 1, "touch_end")]
    assert touches[0][2] == pytest.approx(0.3, abs=1e-3)  # of the finger relative to the ball
    index = gb.FINGERS.index("index")
    assert min(pushed[index] for pushed in pushed_n) < -0.1 and np.all(np.abs(pushed_n[0]) == 0)
    assert np.all(session.forces("left")["force_n"] == 0) and len(session.forces()) == len(gb.FINGERS)
    limit = closed[45][index]
    assert limit["known"] and limit["object"] == 0 and limit["touch"] <= limit["now"]
    assert not session.curl_limits("left")["known"].any() and len(closed[0]) == 5


NO_HAND = np.full((26, 7), np.nan)


def test_a_curled_hand_closes_on_a_bar():
    scene = gb.Scene()
    scene.add("bar", gb.capsule((-0.1, 0, 0), (0.1, 0, 0), 0.025), position_m=(0.0, -0.035, -0.12))
    session = gb.Session(scene)
    curls = np.array([0.1, 0.2, 0.3, 0.4, 0.5])
    session.step(gb.curled_hand(curls, position_m=(0, 1, 0)), 0.0)
    assert session.curl_limits()["now"] == pytest.approx(curls, abs=0.02)
    assert len(session.touches) == 0
    session.restart()
    for i in range(60):
        step = session.step(gb.curled_hand([0.3, *4 * [i / 60]]), i / 60)
        assert step.present == (False, True) and step.held == (False, False)
    touches = session.touches
    assert {"index", "middle"} <= set(touches.by("finger")["finger"]) and touches.array["open"].all()
    assert (touches.array["end_s"] == pytest.approx(59 / 60)) and (touches.array["begin_s"] > 0.05).all()
    broken = gb.curled_hand([0.3, 1, 1, 1, 1])
    broken[9, 4] = np.inf
    assert session.step(broken, 1.0).held == (False, True)
    for simulated in (False, True):
        session = gb.Session(scene, simulated=simulated)
        present = [session.step(gb.curled_hand(), i / 60).present[1] for i in range(30)]
        assert present[0] and present[-1] == simulated  # a tracker's hand that does not move at all
    for wrong in ("two-euro", "one-euro:0,1"):
        with pytest.raises(ValueError, match="^filter"):
            gb.Session(scene, filter=wrong)
        with pytest.raises(ValueError, match="^filter"):
            gb.replay("flick", filter=wrong)
    left, right = (gb.curled_hand(curls, hand=hand)[:, 4:] for hand in gb.HANDS)
    assert left == pytest.approx(right * [-1, 1, 1], abs=1e-6)
    for wrong in ({"hand": "top"}, {"orientation": (1, 1, 1, 1)}, {"curls": 5 * [np.nan]}):
        with pytest.raises(ValueError):
            gb.curled_hand(**wrong)


def test_an_object_returns_to_its_start_when_the_scene_says_so():
    def height_after(respawn_after_s):
        scene = gb.Scene()
        scene.add("falls", gb.box((0.1, 0.1, 0.1)), motion="dynamic")
        assert scene.respawn_after_s == 1.5
        if respawn_after_s is not None:
            scene.respawn_after_s = respawn_after_s
        session = gb.Session(scene)
        for i in range(181):
            session.step(NO_HAND, i / 90)
        return session.object_poses[0, 5]

    assert height_after(None) > -2 and height_after(0.5) > -2
    assert height_after(np.inf) == pytest.approx(-9.81 * 2, abs=1)
    with pytest.raises(ValueError, match="respawn_after_s"):
        height_after(np.nan)


def test_a_program_resets_and_throws_a_dynamic_object():
    scene = gb.Scene()
    scene.add("table", gb.box((1, 0.1, 1)), position_m=(0, -0.1, 0))
    scene.add("box", gb.box((0.1, 0.1, 0.1)), position_m=(0, 0.1, 0), motion="dynamic")
    session = gb.Session(scene)
    session.step(NO_HAND, 0.0)
    session.set_object_pose(1, [0, 0, 0, 1, 0.5, 2, 0])
    assert session.object_poses[1] == pytest.approx([0, 0, 0, 1, 0.5, 2, 0])  # at once
    session.set_object_velocity(1, [1, 0, 0], [0, 2, 0])
    for i in range(1, 46):
        session.step(NO_HAND, i / 90)
    pose = session.object_poses[1]
    assert pose[4:] == pytest.approx([1.0, 2 - 9.81 / 8, 0], abs=0.04)
    assert 2 * np.arctan2(np.linalg.norm(pose[:3]), pose[3]) == pytest.approx(1.0, abs=0.03)
    for wrong in ((0, [1, 0, 0]), (1, [np.nan, 0, 0]), (1, [1, 0]), (2, [1, 0, 0])):
        with pytest.raises(ValueError):
            session.set_object_velocity(*wrong)


def test_a_restored_state_gives_the_same_hashes():
    rec = gb.open("flick")
    frames = np.where(rec.active[:, :, None, None], rec.frames, np.nan)

    def run(session, begin, end):
        return [session.step(frames[i], rec.time_s[i], radius_m=rec.radius_m[i]).state_hash for i in range(begin, end)]

    session = gb.Session("table-and-ball", forces=True)
    half, n = len(rec) // 2, len(rec)
    expected = run(session, 0, n)
    session.restart()
    assert run(session, 0, half) == expected[:half]
    state = session.save()
    for _ in range(3):
        session.restore(state)
        assert run(session, half, n) == expected[half:]
    other = gb.Session("table-and-ball", forces=True)
    other.restore(state)
    assert run(other, half, n) == expected[half:]
    with pytest.raises(ValueError, match="options"):
        gb.Session("table-and-ball").restore(state)
    with pytest.raises(ValueError, match="another scene"):
        gb.Session("held-ball", forces=True).restore(state)


def test_rays_hit_the_first_triangle():
    mesh = icosphere(2, 0.3)
    scene = gb.Scene()
    scene.add("ball", mesh.tree(), position_m=(0.1, 0.2, 0.3))
    scene.add("wall", gb.box((0.01, 5, 5)), position_m=(2, 0, 0))
    session = gb.Session(scene)
    rng = np.random.default_rng(11)
    start, way = rng.uniform(-1, 1, (400, 3)), rng.normal(size=(400, 3))
    start[:, 0] -= 1.5
    way[::2] = [0.1, 0.2, 0.3] + rng.uniform(-0.4, 0.4, (200, 3)) - start[::2]
    start, way = start.astype(np.float32).astype(float), way.astype(np.float32).astype(float)
    hits = session.cast_rays(start, way)
    corners = mesh.vertices_m[mesh.triangles].astype(float) + [0.1, 0.2, 0.3]
    seen = set()
    for hit, o, d in zip(hits, start, way / np.linalg.norm(way, axis=1, keepdims=True)):
        t = distances_along(o, d, corners)
        wall = (1.99 - o[0]) / d[0] if d[0] > 0 else np.inf
        if np.isfinite(wall) and np.abs(o + wall * d)[1:].max() > 5:
            wall = np.inf
        expected = min(t.min(), wall)
        seen.add(hit["object"])
        assert hit["object"] == (-1 if np.isinf(expected) else 0 if t.min() < wall else 1)
        assert hit["distance_m"] == pytest.approx(expected, abs=1e-5)
        if hit["object"] == 0:
            assert hit["triangle"] == t.argmin() or t[hit["triangle"]] == pytest.approx(t.min(), abs=1e-6)
        if hit["object"] >= 0:
            assert hit["point_m"] == pytest.approx(o + expected * d, abs=1e-5) and hit["normal"] @ d <= 0
    assert seen == {-1, 0, 1}
    assert session.cast_rays([0.1, 0.2, 0.3], [1, 0, 0])["distance_m"] == [0]  # inside
    assert session.cast_rays([-1, 0.2, 0.3], [[1, 0, 0], [0, 1, 0]], length_m=1.5)["object"].tolist() == [0, -1]
    for wrong in (([0, 0], [1, 0, 0], 1.0), ([0, 0, 0], [1, 0, 0], -1.0), ([0, 0, 0], [1, 0, 0], np.nan)):
        with pytest.raises(ValueError):
            session.cast_rays(wrong[0], wrong[1], length_m=wrong[2])


def test_a_small_hand_has_thin_fingers():
    rec = gb.open("flick")
    tip = gb.JOINTS.index("index_tip")
    frames = np.array(rec.frames[:20, 1])
    frames[..., 4:] = frames[:, tip:tip + 1, 4:] + 0.5 * (frames[..., 4:] - frames[:, tip:tip + 1, 4:])
    outwards = frames[0, tip, 4:] - frames[0, gb.JOINTS.index("index_distal"), 4:]
    scene = gb.Scene()
    scene.add("ball", gb.capsule((0, 0, 0), (0, 0, 0), 0.01),
              position_m=frames[0, tip, 4:] + 0.03 * outwards / np.linalg.norm(outwards))

    def gap_m(session):
        contacts = session.step(frames[0], 0.0).contacts
        session.restart()
        return contacts["distance_m"][contacts["bone"] == 7][0]

    session = gb.Session(scene)
    adult_m = gap_m(session)
    for samples in (frames, np.stack([np.full_like(frames, np.nan), frames], axis=1)):
        session = gb.Session(scene)
        session.fit_hands(samples)
        assert (0.02 - gap_m(session)) / (0.02 - adult_m) == pytest.approx(0.5, abs=0.02)  # the fingertip's radius
    session.fit_hands(rec)
    assert gap_m(session) == pytest.approx(adult_m, abs=1e-3)  # made with an adult's hand
    for wrong, because in ((frames[:, :20], "shape"), (frames[0], "shape"), (np.full_like(frames, np.nan), "valid")):
        with pytest.raises(ValueError, match=because):
            session.fit_hands(wrong)


def test_a_program_cannot_move_what_the_scene_moves(tmp_path):
    (tmp_path / "cube.bvh").write_text(BVH_HEAD + "0 0 0 0 0 0\n" * 101)
    (tmp_path / "scene.toml").write_text("[[object]]\nname = 'fixed'\nshape = 'box'\n[[object]]\nname = 'cube'\nshape = 'box'\n"
                                         "motion = 'recorded'\ntrack = 'cube.bvh'\ntrack_unit_m = 1.0\n")
    session = gb.Session(tmp_path / "scene.toml")
    pose = [0, 0, 0, 1, 1, 2, 3]
    for number, wrong, because in ((1, pose, "track"), (2, pose, "no such object"), (-1, pose, "no such object"),
                                   (0, pose[:6], "shape"), (0, [0, 0, 0, 1.1, 1, 2, 3], "length 1"),
                                   (0, [0, 0, 0, np.nan, 1, 2, 3], "length 1"),
                                   (0, [0, 0, 0, 1, np.nan, 2, 3], "finite")):
        with pytest.raises(ValueError, match=because):
            session.set_object_pose(number, wrong)
    session.step(np.full((26, 7), np.nan), 0.0)
    assert session.object_poses[0] == pytest.approx([0, 0, 0, 1, 0, 0, 0])
    session.set_object_pose(0, pose)
    session.step(np.full((26, 7), np.nan), 0.1)
    assert session.object_poses[0] == pytest.approx(pose)
    session.restart()
    session.step(np.full((26, 7), np.nan), 0.0)
    assert session.object_poses[0] == pytest.approx([0, 0, 0, 1, 0, 0, 0])
    with pytest.raises(ValueError, match="forces=True"):
        session.forces()
    with pytest.raises(ValueError, match="none of left, right"):
        session.curl_limits("both")


def test_names_tell_objects_apart():
    scene = gb.Scene.load("table-and-ball")
    for name, because in (("ball", "another name"), ("", "needs a name"), (" \t", "needs a name")):
        with pytest.raises(ValueError, match=because):
            scene.add(name, gb.box((0.1, 0.1, 0.1)))
    assert scene.objects.count("ball") == 1


# --- meshes


def test_nearest_agrees_with_every_triangle():
    mesh = icosphere(2)
    tree = mesh.tree()
    assert tree.closed
    points = np.random.default_rng(7).uniform(-0.15, 0.15, (200, 3))
    corners = mesh.vertices_m[mesh.triangles].astype(float)
    expected = np.array([min(distance_to_triangle(p, *t) for t in corners) for p in points])
    distance, nearest, triangle = tree.nearest(points)
    assert np.abs(distance) == pytest.approx(expected, abs=1e-7)
    assert np.linalg.norm(nearest - points, axis=1) == pytest.approx(np.abs(distance), abs=1e-7)
    inside = tree.contains(points)
    assert np.array_equal(inside, distance < 0) and 20 < inside.sum() < 180
    for i in range(0, 200, 10):
        assert distance_to_triangle(points[i], *corners[triangle[i]]) == pytest.approx(expected[i], abs=1e-7)
    assert np.array_equal(tree.distance(points), distance)


@pytest.mark.parametrize("closed", [True, False])
def test_a_trees_rays_hit_the_first_triangle(closed):
    mesh = icosphere(2, 0.3)
    if not closed:
        mesh = gb.Mesh(mesh.vertices_m, mesh.triangles[::2])
    tree = mesh.tree()
    assert tree.closed == closed
    rng = np.random.default_rng(5)
    start = rng.normal(size=(400, 3))
    start *= rng.uniform(0.35, 2, (400, 1)) / np.linalg.norm(start, axis=1, keepdims=True)
    if not closed:
        start[:100] *= 0.1  # from within: the triangles behind
    way = rng.uniform(-0.4, 0.4, (400, 3)) - start
    start, way = start.astype(np.float32).astype(float), way.astype(np.float32).astype(float)
    hits = tree.cast_rays(start, way)
    assert hits.dtype.names == ("triangle", "distance_m", "point_m", "normal")
    corners = mesh.vertices_m[mesh.triangles].astype(float)
    for hit, o, d in zip(hits, start, way / np.linalg.norm(way, axis=1, keepdims=True)):
        t = distances_along(o, d, corners)
        assert hit["distance_m"] == pytest.approx(t.min(), abs=1e-5)
        if np.isfinite(t.min()):
            assert hit["triangle"] == t.argmin() or t[hit["triangle"]] == pytest.approx(t.min(), abs=1e-6)
            assert hit["point_m"] == pytest.approx(o + t.min() * d, abs=1e-5) and hit["normal"] @ d <= 0
        else:
            assert hit["triangle"] == -1
    assert 50 < (hits["triangle"] >= 0).sum() < 380
    scene = gb.Scene()
    scene.add("mesh", tree)
    assert np.array_equal(gb.Session(scene).cast_rays(start, way)["distance_m"], hits["distance_m"])
    inside = tree.cast_rays([0, 0, 0], [1, 0, 0])[0]
    assert (inside["distance_m"] == 0) == closed
    assert np.isinf(tree.cast_rays([[9, 0, 0], [np.nan, 0, 0]], [[1, 0, 0], [1, 0, 0]])["distance_m"]).all()
    assert tree.cast_rays([9, 0, 0], [-1, 0, 0], length_m=1)["triangle"].tolist() == [-1]


def test_points_that_are_not_finite_are_near_nothing():
    distance, nearest, triangle = icosphere(1).tree().nearest([[0, 0, 0], [np.nan, 0, 0], [np.inf, 0, 0]])
    assert triangle[0] >= 0 and distance[0] < 0
    assert np.isnan(distance[1:]).all() and np.isnan(nearest[1:]).all() and (triangle[1:] == -1).all()
    with pytest.raises(ValueError, match=r"\(n, 3\)"):
        icosphere(1).tree().nearest([0.0, 0.0])


def test_distance_of_two_shapes():
    ball = gb.capsule((0, 0, 0), (0, 0, 0), 0.05)
    other = gb.capsule((0.2, 0, 0), (0.4, 0, 0), 0.05)
    contact = gb.distance(ball, other)
    assert contact.distance_m == pytest.approx(0.1) and contact.normal == pytest.approx([1, 0, 0])
    assert contact.on_b_m - contact.on_a_m == pytest.approx(contact.distance_m * contact.normal)
    assert gb.distance(ball, other, max_distance_m=0.05) is None
    tree = icosphere(4).tree()
    assert gb.distance(gb.capsule((0.2, 0, 0), (0.2, 0, 0), 0.05), tree).distance_m == pytest.approx(0.05, abs=1e-3)
    moved = tree.at(position_m=(0, 1, 0))
    assert gb.distance(gb.box((0.5, 0.5, 0.5)), moved).distance_m == pytest.approx(0.4, abs=1e-3)
    with pytest.raises(ValueError, match="length 1"):
        tree.at(orientation=(1, 1, 1, 1))
    with pytest.raises(ValueError, match="negative"):
        gb.capsule((0, 0, 0), (0, 0, 1), -1)


def test_meshes_from_files_and_bad_ones(tmp_path):
    file = tmp_path / "one.obj"
    file.write_text("v 0 0 0\nv 1000 0 0\nv 0 1000 0\nf 1 2 3\n")
    mesh = gb.Mesh.load(file, unit_m=0.001)
    assert mesh.vertices_m.max() == 1.0 and mesh.triangles.shape == (1, 3) and not mesh.tree().closed
    with pytest.raises(RuntimeError, match="none.obj"):
        gb.Mesh.load(tmp_path / "none.obj")
    for unit_m in (0, -1, np.nan, np.inf):
        with pytest.raises(ValueError, match="unit_m"):
            gb.Mesh.load(file, unit_m=unit_m)
        with pytest.raises(ValueError, match="unit_m"):
            gb.open("flick", unit_m=unit_m)
    for vertices, triangles in (([[0, 0, 0]], [[0, 1, 2]]), ([[np.nan, 0, 0]] * 3, [[0, 1, 2]]),
                                ([[0, 0, 0]] * 3, [[0, 1, -1]]), ([[0, 0, 0]] * 3, [[2**32, 1, 2]]), ([[0, 0]] * 3, [[0, 1, 2]]), ([[0, 0, 0]], [])):
        with pytest.raises(ValueError):
            gb.Mesh(vertices, triangles)


def test_tables_for_pandas():
    pandas = pytest.importorskip("pandas")
    table = gb.replay("flick").to_pandas("touches")
    assert isinstance(table, pandas.DataFrame) and set(table["hand"]) == {"right"}
    assert "normal_x" in gb.replay("flick").to_pandas("contacts")


def test_lanes_for_matplotlib():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    run = gb.replay("flick")
    assert len(run.plot().get_yticklabels()) == len(run.touches.by("finger"))


if __name__ == "__main__":
    sys.exit(pytest.main([__file__, "-q"]))
