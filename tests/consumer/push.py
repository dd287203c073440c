# An environment for learning, with resets, in Python: what docs/how-to/applications.md shows.
import numpy as np

import glovebox as gb

scene = gb.Scene("push")
scene.respawn_after_s = np.inf  # the program resets the cube itself
scene.add("table", gb.box((0.5, 0.02, 0.5)), position_m=(0, -0.02, 0))
scene.add("cube", gb.box((0.03, 0.03, 0.03)), position_m=(0, 0.03, 0), motion="dynamic", mass_kg=0.05)
session = gb.Session(scene, simulated=True)  # such a hand may stay still
start = session.save()
cube = session.objects.index("cube")
rng = np.random.default_rng(1)

for episode in range(3):
    session.restore(start)
    session.set_object_pose(cube, [0, 0, 0, 1, rng.uniform(-0.01, 0.01), 0.03, 0])
    wrist_m = np.array([0.0, 0.03, 0.3])
    for frame in range(120):
        wrist_m[2] -= 0.002  # the action: forward, with a bent thumb and straight fingers
        step = session.step(gb.curled_hand([0.8, 0, 0, 0, 0], position_m=wrist_m), frame / 60)
    below = session.cast_rays(session.object_poses[cube, 4:] - [0, 0.031, 0], [0, -1, 0])
    print(f"the cube went to z = {session.object_poses[cube, 6]:.2f} m, on {session.objects[below['object'][0]]}")
