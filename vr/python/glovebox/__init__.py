"""What a hand touches, for NumPy.

    import glovebox as gb
    rec = gb.open("take.csv")                     # or a bundled recording by name: gb.recordings()
    run = gb.replay(rec, scene="held-ball")       # gb.scenes()
    print(run.touches.by("finger"))

Units: metres, seconds. Axes: right-handed, +Y up, -Z forward. A pose is seven numbers: the orientation as a unit
quaternion x y z w, then the position. Distances are signed: negative is how deep. Normals are unit, from the hand to
the object. Hands are numbered as in ``HANDS``, fingers as in ``FINGERS`` (5 is the palm with the
metacarpals in it), kinds of events as in
``EVENT_KINDS``, joints as in ``JOINTS``, objects as in ``Run.objects``.

Errors: ``RuntimeError`` for files and scenes that cannot be read (file, place and reason in one line), ``ValueError``
for values of arguments, ``TypeError`` for arguments of another type. Long work lets other threads run and ends on Ctrl-C with ``KeyboardInterrupt``.
"""

from __future__ import annotations

import operator
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _core
from ._core import EVENT_KINDS, FINGERS, JOINTS, __version__, methods, recordings, scenes
from ._many import Labels, label_many

if TYPE_CHECKING:
    import pandas

__all__ = [
    "EVENT_KINDS", "FINGERS", "HANDS", "JOINTS", "Contact", "Labels", "Mesh", "Recording", "Run", "Scene", "Session",
    "Shape", "State", "Step", "Touches", "Tree", "box", "capsule", "curled_hand", "distance", "label_many", "methods", "open", "recordings",
    "replay", "scenes", "__version__",
]

HANDS = ("left", "right")

Path = Union[str, "os.PathLike[str]"]
Array = npt.NDArray[Any]
Progress = Union[bool, Callable[[int, int], None]]
Vector = Sequence[float]
_NOWHERE = (0.0, 0.0, 0.0)
_UPRIGHT = (0.0, 0.0, 0.0, 1.0)


class Recording:
    """Hands over time. ``open()`` makes one. Its arrays are views of the recording's memory and cannot be written."""

    def __init__(self, core: _core.Recording) -> None:
        self._core = core

    @property
    def frames(self) -> Array:
        """Poses of all joints, shape (n, 2, 26, 7), float32: frame, hand, joint, then x y z w and position in metres.
        A view. Where ``valid`` is false the numbers mean nothing."""
        return self._core.frames

    @property
    def orientation(self) -> Array:
        """Unit quaternions x y z w, shape (n, 2, 26, 4), float32. A view of ``frames``."""
        return self._core.frames[..., :4]

    @property
    def position_m(self) -> Array:
        """Positions in metres, shape (n, 2, 26, 3), float32. A view of ``frames``."""
        return self._core.frames[..., 4:]

    @property
    def radius_m(self) -> Array:
        """Radius of the flesh round each joint in metres, shape (n, 2, 26), float32; 0: not recorded. A view."""
        return self._core.radius_m

    @property
    def active(self) -> Array:
        """Whether there is a hand, shape (n, 2), bool. A view."""
        return self._core.active

    @property
    def valid(self) -> Array:
        """Whether a joint has a position, shape (n, 2, 26), bool. Computed."""
        valid: Array = ((self._core.flags & 2) != 0) & self._core.active[:, :, None]
        return valid

    def placed(self, scene: Union[Scene, Path]) -> Array:
        """Poses as ``frames``, but where ``replay()`` puts the hands in a scene, and NaN where nothing is valid. A copy.
        A ``Session`` in that scene takes them frame by frame, and contacts are in the same coordinates."""
        return _core.placed(self._core, _scene(scene)._core)

    @property
    def time_s(self) -> Array:
        """Time of each frame from the first, in seconds, shape (n,), float64. Computed."""
        return 1e-9 * self._core.time_ns

    @property
    def path(self) -> str:
        """The file or the name that it was opened by."""
        return self._core.path

    @property
    def format(self) -> str:
        """Name of its format."""
        return self._core.format

    @property
    def unit_m(self) -> float:
        """Length of the file's unit in metres, as given or as guessed."""
        return self._core.unit_m

    @property
    def rate_hz(self) -> float:
        """Frames a second: one over the median step; 0 for fewer than two frames."""
        return self._core.rate_hz

    @property
    def duration_s(self) -> float:
        """From the first frame to the last, in seconds."""
        return self._core.duration_s

    @property
    def longest_gap_s(self) -> float:
        """The longest step between two frames, in seconds."""
        return self._core.longest_gap_s

    @property
    def notes(self) -> Sequence[str]:
        """What the file lacked and was added, one sentence each."""
        return self._core.notes

    def __len__(self) -> int:
        return len(self._core)

    def __repr__(self) -> str:
        return f"<glovebox.Recording {self.path!r}: {len(self)} frames, {self.duration_s:.1f} s, {self.format}>"


def open(path: Path, *, unit_m: Optional[float] = None, hand: Optional[str] = None, axes: Optional[str] = None,
         scene: Optional[Path] = None) -> Recording:
    """Reads a recording of any format, told by its content, or a bundled one by its name.

    unit_m: length of the file's unit in metres; guessed from the size of the hand if not given.
    hand: "left" or "right" to leave out the other.
    axes: which way the file's axes point, as in ``glovebox replay --axes``: "unity", "unreal", "z-up", or three letters.
    scene: a scene whose file says how recordings made for it are to be read (unit, axes, fingertips).
    Raises RuntimeError with file, row and reason."""
    return Recording(_core.open(os.fspath(path), None if unit_m is None else _number("unit_m", unit_m),
                                None if hand is None else _text("hand", hand),
                                None if axes is None else _text("axes", axes),
                                None if scene is None else os.fspath(scene)))


class Scene:
    """Objects that a hand can touch. ``Scene()`` is empty, ``Scene.load()`` a built-in one or a file's."""

    def __init__(self, name: str = "scene") -> None:
        self._core = _core.Scene(_text("name", name))

    @staticmethod
    def load(name_or_path: Path) -> Scene:
        """Reads a built-in scene by its name (``scenes()``), a scene file (TOML) or a mesh. Raises RuntimeError."""
        scene = Scene.__new__(Scene)
        scene._core = _core.Scene.load(os.fspath(name_or_path))
        return scene

    @property
    def name(self) -> str:
        return self._core.name

    @property
    def objects(self) -> Sequence[str]:
        """Names of the objects, by index."""
        return self._core.objects

    @property
    def respawn_after_s(self) -> float:
        """A dynamic object that was moved away and is not touched for this long returns to its start. 1.5 in a new scene;
        ``math.inf``: never. Set it before the session is opened."""
        return self._core.respawn_after_s

    @respawn_after_s.setter
    def respawn_after_s(self, after_s: float) -> None:
        self._core.respawn_after_s = after_s

    @property
    def placement(self) -> str:
        """Where ``replay()`` puts the hands of a recording that was not made in the scene: "fingertips", as in a scene
        file, moves them so that the median of their fingertips is at ``anchor_m``; "wrist" holds the wrist still;
        "recorded" leaves them where they are. A ``Session`` never moves the hands."""
        return self._core.placement

    @placement.setter
    def placement(self, placement: str) -> None:
        self._core.placement = _text("placement", placement)

    @property
    def anchor_m(self) -> Tuple[float, float, float]:
        """The point of the scene to which ``placement`` moves the fingertips, (3,)."""
        return self._core.anchor_m

    @anchor_m.setter
    def anchor_m(self, anchor_m: Vector) -> None:
        x, y, z = _numbers("anchor_m", anchor_m, 3)
        self._core.anchor_m = (x, y, z)

    def add(self, name: str, shape: Union[Shape, Tree], *, position_m: Vector = _NOWHERE,
            orientation: Vector = _UPRIGHT, motion: str = "fixed", mass_kg: float = 0.1) -> None:
        """Adds an object. Raises ValueError if the name is empty or in use. position_m (3,) and orientation (4,) x y z w:
        where the shape's own frame stands at the start. motion: "fixed", or "dynamic" for what can be pushed, with its
        mass in kilograms."""
        self._core.add(_text("name", name), _shape(shape), _numbers("position_m", position_m, 3),
                       _numbers("orientation", orientation, 4), _text("motion", motion), _number("mass_kg", mass_kg))

    def __repr__(self) -> str:
        return f"<glovebox.Scene {self.name!r}: {', '.join(self.objects)}>"


class Touches:
    """Who touched what, from when to when. Rows in the order of their begin.

    ``array`` is structured: hand, finger, object (int32, numbered as in the module), begin_s, end_s (float64, seconds),
    deepest_m (float32), open (bool: goes on at the end). A finger touches an object while any of its bones does."""

    def __init__(self, array: Array, objects: Sequence[str]) -> None:
        self.array = array
        self.objects = objects

    def __len__(self) -> int:
        return len(self.array)

    def by(self, what: str) -> Array:
        """Sums up by "finger", "object" or "hand". Returns a structured array: hand, then what was asked for as text,
        count, total_s, longest_s (float64), deepest_m (float32). By "finger": for each finger and object."""
        keys = {"finger": ["hand", "finger", "object"], "object": ["hand", "object"], "hand": ["hand"]}.get(what)
        if keys is None:
            raise ValueError(f"by: {what!r} is none of finger, object, hand")
        names = {"hand": HANDS, "finger": FINGERS, "object": tuple(self.objects)}
        text = [(key, f"U{max([1] + [len(name) for name in names[key]])}") for key in keys]
        dtype = np.dtype(text + [("count", "i4"), ("total_s", "f8"), ("longest_s", "f8"), ("deepest_m", "f4")])
        groups, group_of = np.unique(self.array[keys], return_inverse=True)
        rows = np.zeros(len(groups), dtype)
        for key in keys:
            rows[key] = [names[key][i] for i in groups[key]]
        length_s = self.array["end_s"] - self.array["begin_s"]
        rows["count"] = np.bincount(group_of, minlength=len(groups))
        rows["total_s"] = np.bincount(group_of, length_s, minlength=len(groups))
        np.maximum.at(rows["longest_s"], group_of, length_s)
        np.maximum.at(rows["deepest_m"], group_of, self.array["deepest_m"])
        return rows

    def to_pandas(self) -> pandas.DataFrame:
        """Returns a DataFrame with names in place of numbers. Needs pandas."""
        return _frame(self.array, self.objects)


class Run:
    """What a replay found. ``replay()`` makes one."""

    def __init__(self, core: _core.Replay) -> None:
        self._core = core
        self.events: Array = core.events
        """Structured (n,): frame, kind, hand, finger, bone, object (int32; object -1: a pinch), lost (bool), time_s,
        duration_s (float64), distance_m, point_m (3,), normal (3,), relative_velocity_m_s (3,), impulse_n_s
        (float32). The velocity and the impulse of a pinch or a grab are 0. If an event ends because the object is out
        of reach, its distance is 1e9, and its point, normal and velocity are 0."""
        self.contacts: Array = core.contacts
        """Structured (n,): every (bone, object) within the scene's hover distance in every frame. frame, hand, finger,
        bone, object (int32), touching (bool), time_s (float64), distance_m, normal (3,), on_hand_m (3,),
        on_object_m (3,) (float32). Empty if the replay was asked for none."""
        self.time_s: Array = core.time_s
        """Time of each frame in seconds, (n,), float64."""
        self.state_hashes: Array = core.state_hashes
        """Fingerprint of the state after each frame, (n,), uint64: equal input on equal builds has equal ones."""
        self.state_hash: int = core.state_hash
        """Of all frames: ``state_hash`` of ``glovebox replay --report``."""
        self.scene: str = core.scene
        self.objects: Sequence[str] = core.objects
        """Names of the scene's objects, by index."""
        self.touches = Touches(core.touches, core.objects)
        """Who touched what, from when to when: what ``glovebox touches`` lists."""
        self.placement: str = core.placement
        """Where the hands were put in the scene, in words; ``Recording.placed()`` has the poses."""
        self.object_poses: Array = core.object_poses
        """Where the objects are after each frame: poses, shape (n, objects, 7), float32."""
        self.stages_us = core.stages_us
        """What the frames cost: {stage: {"mean", "p50", "p99", "max"}}, microseconds."""

    def to_pandas(self, table: str = "events") -> pandas.DataFrame:
        """Returns "events", "contacts" or "touches" as a DataFrame, names in place of numbers, vectors as three
        columns. Needs pandas."""
        arrays = {"events": self.events, "contacts": self.contacts, "touches": self.touches.array}
        if table not in arrays:
            raise ValueError(f"table: {table!r} is none of events, contacts, touches")
        return _frame(arrays[table], self.objects)

    def plot(self, ax: Any = None) -> Any:
        """Draws lanes: for each hand, finger and object that touched, when. Returns the matplotlib axes. Needs
        matplotlib."""
        import matplotlib.pyplot as plt

        if ax is None:
            ax = plt.subplots(figsize=(8, 4))[1]
        touches = self.touches.array
        lanes = np.unique(touches[["hand", "finger", "object"]])
        for lane, key in enumerate(lanes):
            rows = touches[touches[["hand", "finger", "object"]] == key]
            ax.broken_barh(list(zip(rows["begin_s"], rows["end_s"] - rows["begin_s"])), (lane - 0.4, 0.8))
        ax.set_yticks(range(len(lanes)))
        ax.set_yticklabels([f"{HANDS[k['hand']]} {FINGERS[k['finger']]}, {self.objects[k['object']]}" for k in lanes])
        ax.set_xlim(0.0, float(self.time_s[-1]))
        ax.set_xlabel("s")
        ax.invert_yaxis()
        return ax

    def __repr__(self) -> str:
        return f"<glovebox.Run in {self.scene!r}: {len(self.time_s)} frames, {len(self.events)} events>"


def replay(recording: Union[Recording, Path], scene: Union[Scene, Path, None] = None, *, method: Optional[str] = None,
           filter: Optional[str] = None, contacts: bool = True, progress: Progress = False) -> Run:
    """Replays a recording against a scene, as ``glovebox replay`` does, as fast as it goes.

    scene: a Scene, a name of ``scenes()`` or a file; by default the one that the recording was made in. The hands are
    moved into it as ``Scene.placement`` says.
    method: how the hand's boxes are refitted, one of ``methods()``; it changes no contact.
    filter: smooths the hands, as ``--filter`` does: "one-euro", "one-euro:MINCUTOFF_HZ,BETA" or "off"; by default as the
    log that is replayed says.
    contacts: keep every contact of every frame (some 80 bytes each).
    progress: True shows a count on standard error; or a function of (frames done, all), called ten times a second."""
    if not isinstance(recording, Recording):
        recording = open(recording)
    show = _show_progress if progress is True else (progress or None)
    return Run(_core.replay(recording._core, None if scene is None else _scene(scene)._core,
                            None if method is None else _text("method", method),
                            None if filter is None else _text("filter", filter), contacts, show))


@dataclass(frozen=True)
class Step:
    """What one step of a session found: rows as in ``Run``, and the state's fingerprint."""

    contacts: Array
    events: Array
    state_hash: int
    present: Tuple[bool, bool]
    """For each of ``HANDS``: the step used a hand."""
    held: Tuple[bool, bool]
    """For each of ``HANDS``: the sample was not valid, and an older pose was used instead."""


class Session:
    """A scene that is fed hand by hand, in its own coordinates. One thread at a time."""

    def __init__(self, scene: Union[Scene, Path], *, method: Optional[str] = None, forces: bool = False,
                 simulated: bool = False, filter: str = "off") -> None:
        """forces: each step also renders forces, one tick per 1 ms of step time.
        simulated: no tracker makes the hands, so they may stay still; see ``step()``.
        filter: smooths the hands before they touch, as in ``replay()``."""
        self._core = _core.Session(_scene(scene)._core, None if method is None else _text("method", method), forces,
                                   simulated, _text("filter", filter))
        self.objects: Sequence[str] = self._core.objects

    def step(self, joints: npt.ArrayLike, time_s: float, *, radius_m: Optional[npt.ArrayLike] = None,
             hand: str = "right") -> Step:
        """Takes the hands at a time and returns what they touch.

        joints: poses, shape (2, 26, 7), a row of ``Recording.frames``; or (26, 7) of the one hand that ``hand`` names.
        Or positions alone, (2, 26, 3) or (26, 3). A joint whose position has a NaN is not valid. Orientations with a NaN
        are computed from the positions. A hand of NaN alone is not there.
        time_s: seconds from any start; never goes back. Recorded motions of objects begin with the first step.
        radius_m: of the flesh round each joint, shape (2, 26) or (26,) like the joints. If not given, or 0, it is that of
        the hand that ``fit_hands()`` was given, else an adult's.
        As in a live session, a hand that is broken, jumps, or does not move at all for 0.1 s is held at an older pose
        for at most 0.1 s. If it lasts longer, the hand is not there. ``simulated`` hands may stay still."""
        poses = _poses(joints)
        radii = None if radius_m is None else np.asarray(radius_m, np.float32)
        _check_hand(hand)
        if poses.shape not in ((len(JOINTS), 7), (2, len(JOINTS), 7)):
            raise ValueError(f"joints: shape (2, 26, 7) or (26, 7) is expected, not {np.shape(joints)}")
        if radii is not None and radii.shape != poses.shape[:-1]:
            raise ValueError(f"radius_m: shape {poses.shape[:-1]} is expected, not {radii.shape}")
        if poses.ndim == 2:
            pair = [poses if hand == name else None for name in HANDS]
            radius_pair = [radii if hand == name else None for name in HANDS]
        else:
            pair = [poses[0], poses[1]]
            radius_pair = [None, None] if radii is None else [radii[0], radii[1]]
        self._core.step(pair[0], pair[1], _number("time_s", time_s), radius_pair[0], radius_pair[1])
        core = self._core
        return Step(core.contacts, core.events, core.state_hash, core.present, core.held)

    @property
    def touches(self) -> Touches:
        """Who touches what now, as in ``Run.touches``: by hand, finger and object, all with ``open``."""
        return Touches(self._core.touches, self.objects)

    @property
    def object_poses(self) -> Array:
        """Where the objects are now: poses, shape (n, 7), float32, in the order of ``objects``."""
        return self._core.object_poses

    def set_object_pose(self, object: Union[int, str], pose: npt.ArrayLike) -> None:
        """Sets the pose (7,) of an object, given by its index or its name. ``restart()`` puts the object back.

        A fixed object has the pose from the next step on, for programs that move their objects themselves. Call it
        before each step, with the pose at the time of that step: the velocity of the object is the difference of its
        poses over the step. It is at rest in the first step, without a new pose, and after a jump of more than 0.25 m
        or 1 rad. If a hand grabs it, there are events, but it moves only as you say.

        A dynamic object has the pose at once, at rest, and moves on from there in the next step. The jump gives no
        impulse. A hand that holds the object lets go. An object that the scene returns to its start when it is idle
        returns to this pose. A jointed object goes to the nearest pose that its joint allows.

        Raises ValueError for an object with a recorded motion, and for a pose that is not finite or whose quaternion is
        not of unit length."""
        numbers = np.asarray(pose, np.float32)
        if numbers.shape != (7,):
            raise ValueError(f"pose: shape (7,) is expected, not {numbers.shape}")
        self._core.set_object_pose(self._index(object), numbers)

    def set_object_velocity(self, object: Union[int, str], linear_m_s: npt.ArrayLike = _NOWHERE,
                            angular_rad_s: npt.ArrayLike = _NOWHERE) -> None:
        """Sets the velocity (3,) of a dynamic object: of the centre of its shape's box, and about it. A jointed object
        gets the part that its joint allows. ``set_object_pose()`` sets the velocity to 0, so call it first. Raises
        ValueError for objects that are not dynamic and for values that are not finite or above 1000."""
        vectors = np.asarray(linear_m_s, np.float32), np.asarray(angular_rad_s, np.float32)
        for vector in vectors:
            if vector.shape != (3,):
                raise ValueError(f"a velocity: shape (3,) is expected, not {vector.shape}")
        self._core.set_object_velocity(self._index(object), *vectors)

    def _index(self, object: Union[int, str]) -> int:
        if isinstance(object, str):
            if object not in self.objects:
                raise ValueError(f"object: {object!r} is none of {', '.join(self.objects)}")
            return self.objects.index(object)
        try:
            return operator.index(object)
        except TypeError:
            raise TypeError(f"object: an index or a name is expected, not {object!r}") from None

    def cast_rays(self, from_m: npt.ArrayLike, directions: npt.ArrayLike, *, length_m: float = np.inf) -> Array:
        """Finds the first object that each ray hits within length_m.

        from_m, directions: shape (n, 3), or (3,) for all rays. Directions need not have unit length.
        Returns a structured array (n,): object (int32; -1: nothing), triangle (int32; -1: no mesh, or the ray starts
        inside), distance_m (float32; infinite if nothing is hit), point_m (3,), normal (3,), out of the surface on the
        side that the ray comes from. Objects are where ``object_poses`` says; hands are not hit. A ray that starts in an
        object hits it at distance 0. A ray that is not finite or has no direction hits nothing."""
        return self._core.cast_rays(*_rays(from_m, directions, length_m))

    def forces(self, hand: str = "right") -> Array:
        """Forces on the parts of a hand as of the last 1 ms tick before the step's time. Structured (6,), one row for
        each of ``FINGERS``: force_n (3,), on the hand, and vibration_n along the normal, signed (float32). No device
        limits are applied. Raises ValueError unless the session was opened with ``forces=True``."""
        _check_hand(hand)
        return self._core.forces(hand)

    def curl_limits(self, hand: str = "right") -> Array:
        """How far each finger, thumb first, can close before it touches. Structured (5,): known (bool), now, touch
        (float32), bone, object (int32; -1: none). Curl is 0 for a straight finger and 1 in a fist. ``touch`` is the
        curl at which the finger touches, at most ``now`` if it penetrates already. If not known, ignore the rest."""
        _check_hand(hand)
        return self._core.curl_limits(hand)

    def fit_hands(self, samples: Union[Recording, npt.ArrayLike], *, radius_m: Optional[npt.ArrayLike] = None,
                  hand: str = "right") -> None:
        """Sets the sizes of the hands from the next step on, for joints whose radius is not given.

        samples: a Recording, whose hands then have the sizes that ``replay()`` gives them; or poses, shape
        (n, 2, 26, 7), or (n, 26, 7) of the one hand that ``hand`` names; or positions alone, as for ``step()``. For a live hand, the first second is enough.
        radius_m: as for ``step()``, shape (n, 2, 26) or (n, 26), if some radii are known.
        Raises ValueError if no sample has a valid finger; of two hands, if neither has."""
        if isinstance(samples, Recording):
            return self._core.take_sizes(samples._core)
        poses = _poses(samples)
        radii = None if radius_m is None else np.asarray(radius_m, np.float32)
        _check_hand(hand)
        if poses.ndim not in (3, 4) or poses.shape[1:] not in ((2, len(JOINTS), 7), (len(JOINTS), 7)):
            raise ValueError(f"samples: shape (n, 2, 26, 7) or (n, 26, 7) is expected, not {np.shape(samples)}")
        if radii is not None and radii.shape != poses.shape[:-1]:
            raise ValueError(f"radius_m: shape {poses.shape[:-1]} is expected, not {radii.shape}")
        sides = list(HANDS) if poses.ndim == 4 else [hand]
        fitted = [self._core.fit_hand(side, poses if poses.ndim == 3 else poses[:, i],
                                      None if radii is None else radii if poses.ndim == 3 else radii[:, i])
                  for i, side in enumerate(sides)]
        if not any(fitted):
            raise ValueError("samples: none has a hand with a finger that is valid")

    def save(self) -> State:
        """Saves the whole state, for resets and rollbacks. After ``restore()``, time goes on from the saved step, and
        the same hands give the same state hashes."""
        return State(self._core.save())

    def restore(self, state: State) -> None:
        """Goes back to a saved state, also of another session with the same scene and options. Raises ValueError for
        others."""
        if not isinstance(state, State):
            raise TypeError(f"state: a State is expected, not {type(state).__name__}")
        self._core.restore(state._core)

    def restart(self) -> None:
        """Puts everything back to the start, but keeps the sizes of the hands; time begins again."""
        self._core.restart()


class State:
    """The state of a session at one time. ``Session.save()`` makes one. It cannot be pickled."""

    def __init__(self, core: _core.State) -> None:
        self._core = core


@dataclass(frozen=True)
class Contact:
    """Where two shapes are nearest, in world coordinates."""

    distance_m: float
    """Signed: negative is how deep."""
    normal: Array
    """(3,), unit, from the first shape to the second."""
    on_a_m: Array
    """(3,), on the first shape."""
    on_b_m: Array
    """(3,); on_b - on_a = distance * normal."""
    triangle: int
    """Of the mesh that one of the two is; -1: neither or both are."""


class Shape:
    """A solid in world coordinates: ``capsule()``, ``box()`` or ``Tree.at()`` make one."""

    def __init__(self, core: _core.Shape) -> None:
        self._core = core


def capsule(a_m: Vector, b_m: Vector, radius_m: float, radius_b_m: Optional[float] = None) -> Shape:
    """A ball swept from a_m to b_m, (3,) each; the radius goes on to radius_b_m if that is given. a_m = b_m: a ball."""
    radius_a_m = _number("radius_m", radius_m)
    return Shape(_core.capsule(_numbers("a_m", a_m, 3), _numbers("b_m", b_m, 3), radius_a_m,
                               radius_a_m if radius_b_m is None else _number("radius_b_m", radius_b_m)))


def box(half_extents_m: Vector, *, position_m: Vector = _NOWHERE, orientation: Vector = _UPRIGHT) -> Shape:
    """A solid box of half extents (3,) round position_m (3,), turned by the quaternion x y z w."""
    return Shape(_core.box(_numbers("half_extents_m", half_extents_m, 3), _numbers("position_m", position_m, 3),
                           _numbers("orientation", orientation, 4)))


def curled_hand(curls: Vector = (0, 0, 0, 0, 0), *, position_m: Vector = _NOWHERE, orientation: Vector = _UPRIGHT,
                hand: str = "right") -> Array:
    """Makes an adult's hand for ``Session.step()``, (26, 7), for simulations and for gloves that measure curl.

    curls: of each finger, thumb first. Every joint bends by this fraction of its range: 0 straight, 1 a fist.
    position_m (3,) and orientation (4,) x y z w: of the wrist. Unturned, straight fingers point along -Z, palm down."""
    _check_hand(hand)
    return _core.curled_hand(hand, _numbers("position_m", position_m, 3), _numbers("orientation", orientation, 4),
                             _numbers("curls", curls, 5))


def distance(a: Union[Shape, Tree], b: Union[Shape, Tree], *, max_distance_m: float = 1e6) -> Optional[Contact]:
    """Finds where two shapes are nearest, and how deep they are in each other; None beyond max_distance_m. A tree
    stands for its mesh at the origin. Microseconds; two meshes take milliseconds."""
    if not _number("max_distance_m", max_distance_m) >= 0:
        raise ValueError("max_distance_m is negative or no number")
    found = _core.distance(_shape(a), _shape(b), max_distance_m)
    return None if found is None else Contact(*found)


class Mesh:
    """Triangles: vertices_m (n, 3) in metres, triangles (m, 3) of indices, counter-clockwise seen from outside. Raises
    ValueError for what is not finite or out of range."""

    def __init__(self, vertices_m: npt.ArrayLike, triangles: npt.ArrayLike) -> None:
        indices = np.asarray(triangles)
        if indices.size and (indices.dtype.kind not in "iu" or indices.min() < 0 or indices.max() >= 2**32):
            raise ValueError("triangles: indices from 0 to below 2**32 are expected")
        self._core = _core.Mesh(np.asarray(vertices_m, np.float32), indices.astype(np.uint32))

    @staticmethod
    def load(path: Path, *, unit_m: float = 1.0) -> Mesh:
        """Reads OBJ, STL, PLY or glTF, told by content; unit_m is the length of the file's unit. Raises RuntimeError."""
        mesh = Mesh.__new__(Mesh)
        mesh._core = _core.Mesh.load(os.fspath(path), _number("unit_m", unit_m))
        return mesh

    @property
    def vertices_m(self) -> Array:
        """(n, 3), float32, metres. A view."""
        return self._core.vertices_m

    @property
    def triangles(self) -> Array:
        """(m, 3), uint32. A view."""
        return self._core.triangles

    def tree(self) -> Tree:
        """Builds the tree that queries need: some microseconds a triangle."""
        return Tree(self._core.tree())


class Tree:
    """A mesh with its box tree. Queries are in the mesh's frame and let other threads run."""

    def __init__(self, core: _core.Tree) -> None:
        self._core = core

    @property
    def closed(self) -> bool:
        """Whether the mesh has an inside: every edge has two triangles that agree on the side. If all faces point
        inwards, a mesh of at most 1.5 m is turned over, and a larger one, such as the scan of a room, is open."""
        return self._core.closed

    def nearest(self, points_m: npt.ArrayLike) -> Tuple[Array, Array, Array]:
        """Finds the nearest point of the surface for each of points_m (n, 3). Returns distance_m (n,), float64,
        negative inside; the points (n, 3), float64; the triangles (n,), int32. A point that is not finite has NaN and
        -1."""
        return self._core.nearest(np.asarray(points_m, np.float64))

    def distance(self, points_m: npt.ArrayLike) -> Array:
        """Signed distance of each of points_m (n, 3) in metres, (n,), float64; negative inside."""
        return self.nearest(points_m)[0]

    def contains(self, points_m: npt.ArrayLike) -> Array:
        """Whether each of points_m (n, 3) is inside, (n,), bool; never in an open mesh."""
        return self._core.contains(np.asarray(points_m, np.float64))

    def cast_rays(self, from_m: npt.ArrayLike, directions: npt.ArrayLike, *, length_m: float = np.inf) -> Array:
        """Finds the first triangle that each ray hits within length_m, on either side; for visibility and sensors.

        from_m, directions: shape (n, 3), or (3,) for all rays. Directions need not have unit length.
        Returns a structured array (n,): triangle (int32; -1: the ray hits nothing, or starts inside), distance_m
        (float32; infinite if nothing is hit), point_m (3,), normal (3,), out of the surface on the side that the ray
        comes from. A ray that starts inside a closed mesh hits it at distance 0. A ray that is not finite or has no
        direction hits nothing."""
        return self._core.cast_rays(*_rays(from_m, directions, length_m))

    def at(self, position_m: Vector = _NOWHERE, orientation: Vector = _UPRIGHT) -> Shape:
        """Returns the mesh as a solid that stands at position_m (3,), turned by the quaternion x y z w."""
        return Shape(self._core.at(_numbers("position_m", position_m, 3), _numbers("orientation", orientation, 4)))


def _number(name: str, value: float) -> float:
    try:
        return float(value + 0)  # a text is no number, even if it reads as one
    except TypeError:
        raise TypeError(f"{name}: a number is expected, not {value!r}") from None


def _text(name: str, value: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name}: a text is expected, not {value!r}")
    return value


def _numbers(name: str, values: Vector, count: int) -> Tuple[float, ...]:
    try:
        numbers = tuple(float(value) for value in values)
    except (TypeError, ValueError):
        numbers = ()
    if len(numbers) != count:
        raise ValueError(f"{name}: {count} numbers are expected, not {values!r}")
    return numbers


def _check_hand(hand: str) -> None:
    if hand not in HANDS:
        raise ValueError(f"hand: {hand!r} is none of left, right")


def _poses(poses: npt.ArrayLike) -> Array:
    """Adds NaN as orientations to positions alone."""
    array = np.asarray(poses, np.float32)
    if array.ndim < 2 or array.shape[-1] != 3:
        return array
    return np.concatenate([np.full(array.shape[:-1] + (4,), np.nan, np.float32), array], axis=-1)


def _rays(from_m: npt.ArrayLike, directions: npt.ArrayLike, length_m: float) -> Tuple[Array, Array, float]:
    pair = [np.atleast_2d(np.asarray(array, np.float32)) for array in (from_m, directions)]
    if any(array.ndim != 2 or array.shape[1] != 3 for array in pair) or (len({len(array) for array in pair} - {1}) > 1):
        raise ValueError(f"from_m, directions: shape (n, 3) or (3,) is expected, not {np.shape(from_m)} and "
                         f"{np.shape(directions)}")
    if not _number("length_m", length_m) >= 0:
        raise ValueError("length_m is negative or no number")
    from_all, directions_all = np.broadcast_arrays(*pair)
    return np.ascontiguousarray(from_all), np.ascontiguousarray(directions_all), length_m


def _scene(scene: Union[Scene, Path]) -> Scene:
    if isinstance(scene, Recording):
        raise TypeError("scene: a Scene or a path is expected, not a Recording")
    return scene if isinstance(scene, Scene) else Scene.load(scene)


def _shape(shape: Union[Shape, Tree]) -> _core.Shape:
    if isinstance(shape, (Shape, Tree)):
        return (shape.at() if isinstance(shape, Tree) else shape)._core
    advice = ": call its tree() first" if isinstance(shape, Mesh) else ""
    raise TypeError(f"a Shape or a Tree is expected, not {type(shape).__name__}{advice}")


def _show_progress(done: int, total: int) -> None:
    print(f"\rglovebox: frame {done} of {total}", end="\n" if done == total else "", file=sys.stderr, flush=True)


def _frame(array: Array, objects: Sequence[str]) -> pandas.DataFrame:
    import pandas

    names: dict[str, Sequence[str]] = {"hand": HANDS, "finger": FINGERS, "kind": EVENT_KINDS, "object": objects}
    columns: dict[str, Any] = {}
    for name in array.dtype.names or ():
        values = array[name]
        if name in names:
            columns[name] = pandas.Categorical.from_codes(values, categories=list(names[name]))
        elif values.ndim == 2:
            columns.update({f"{name}_{axis}": values[:, i] for i, axis in enumerate("xyz")})
        else:
            columns[name] = values
    return pandas.DataFrame(columns)
