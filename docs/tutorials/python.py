# %% [markdown]
# # What a hand touches, in Python
#
# Each cell below runs as it stands; CI runs all of them. Editors that know `# %%` show this file as a notebook.

# %%
import glovebox as gb
import numpy as np

# %% [markdown]
# ## A recording as arrays
# A file of any format, or a bundled recording by its name. Poses are views of the recording's memory: frame, hand, joint,
# then the orientation as a quaternion x y z w and the position in metres.

# %%
rec = gb.open("flick")
print(rec)
print(rec.frames.shape, rec.frames.dtype)
tip = rec.position_m[:, gb.HANDS.index("right"), gb.JOINTS.index("index_tip")]
speed_m_s = np.linalg.norm(np.diff(tip, axis=0), axis=1) / np.diff(rec.time_s)
print(f"the index fingertip moves at up to {speed_m_s.max():.2f} m/s")
assert 0.1 < speed_m_s.max() < 5.0

# %% [markdown]
# ## What it touches in a scene
# `replay` does what `glovebox replay` does, without a window. Events and contacts are structured arrays.

# %%
run = gb.replay(rec, scene="table-and-ball")
for row in run.touches.by("finger"):
    print(row["hand"], row["finger"], row["object"], row["count"], f"{row['total_s']:.2f} s")
flicks = run.events[run.events["kind"] == gb.EVENT_KINDS.index("flick")]
print("flicks at", flicks["time_s"].round(2), "s")
assert len(run.touches) > 0 and len(flicks) > 0

# %% [markdown]
# How deep the fingertip goes in, over time; `run.to_pandas()` and `run.plot()` do with pandas and matplotlib what their
# names say.

# %%
index = run.contacts[run.contacts["finger"] == gb.FINGERS.index("index")]
deepest_m = -index["distance_m"].min()
print(f"the index finger is {1e3 * deepest_m:.1f} mm deep at most")
assert 0.0 < deepest_m < 0.05
print({stage: f"{cost['p50']:.1f} us" for stage, cost in run.stages_us.items()})

# %% [markdown]
# ## A scene of one's own, hand by hand
# A session takes one frame at a time, from wherever hands come.

# %%
scene = gb.Scene("mine")
scene.add("ball", gb.capsule((0, 0, 0), (0, 0, 0), 0.03), position_m=tip[100])
session = gb.Session(scene)
touching = []
for hands, time_s in zip(rec.frames[:200], rec.time_s[:200]):
    step = session.step(np.where(rec.active[0, :, None, None], hands, np.nan), time_s)
    touching.append(step.contacts["touching"].any())
print(f"touches in {sum(touching)} of {len(touching)} frames")
assert touching[100] and sum(touching) > 1

# %% [markdown]
# ## Distances to a mesh
# A tree answers many points in one call, and other threads run meanwhile. Negative is inside.

# %%
vertices_m = 0.1 * np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
cube = gb.Mesh(vertices_m, [t for a, b, c, d in faces for t in ((a, b, c), (a, c, d))]).tree()
points_m = np.random.default_rng(0).uniform(-0.2, 0.2, (100_000, 3))
distance_m, nearest_m, triangle = cube.nearest(points_m)
print(f"{(distance_m < 0).mean():.3f} of the points are inside the cube")
assert cube.closed and abs((distance_m < 0).mean() - 0.125) < 0.01

contact = gb.distance(gb.capsule((0.3, 0, 0), (0.5, 0, 0), 0.05), cube)
assert contact is not None
print(f"the capsule is {contact.distance_m:.2f} m from the cube")
