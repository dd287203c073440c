from typing import Any, Callable, Optional, Sequence, Tuple

import numpy.typing as npt

Array = npt.NDArray[Any]
Numbers = Sequence[float]

__version__: str
EVENT_KINDS: Tuple[str, ...]
FINGERS: Tuple[str, ...]
JOINTS: Tuple[str, ...]

def scenes() -> list[str]: ...
def recordings() -> list[str]: ...
def methods() -> list[str]: ...
def open(path: str, unit_m: Optional[float], hand: Optional[str], scene: Optional[str]) -> Recording: ...
def replay(
    recording: Recording,
    scene: Optional[Scene],
    method: Optional[str],
    keep_contacts: bool,
    progress: Optional[Callable[[int, int], None]],
) -> Replay: ...
def capsule(a_m: Numbers, b_m: Numbers, radius_a_m: float, radius_b_m: float) -> Shape: ...
def box(half_extents_m: Numbers, position_m: Numbers, orientation: Numbers) -> Shape: ...
def distance(
    a: Shape, b: Shape, max_distance_m: float
) -> Optional[Tuple[float, Array, Array, Array, int]]: ...

class Recording:
    path: str
    format: str
    unit_m: float
    notes: list[str]
    meta: dict[str, str]
    duration_s: float
    rate_hz: float
    longest_gap_s: float
    frames: Array
    radius_m: Array
    flags: Array
    active: Array
    time_ns: Array
    def __len__(self) -> int: ...

class Scene:
    name: str
    objects: list[str]
    def __init__(self, name: str) -> None: ...
    @staticmethod
    def load(name_or_path: str) -> Scene: ...
    def add(
        self, name: str, shape: Shape, position_m: Numbers, orientation: Numbers, motion: str, mass_kg: float
    ) -> None: ...

class Replay:
    contacts: Array
    events: Array
    state_hashes: Array
    time_s: Array
    scene: str
    placement: str
    objects: list[str]
    state_hash: int
    stages_us: dict[str, dict[str, float]]

class Session:
    contacts: Array
    events: Array
    state_hash: int
    objects: list[str]
    def __init__(self, scene: Scene, method: Optional[str]) -> None: ...
    def step(
        self,
        left: Optional[Array],
        right: Optional[Array],
        time_s: float,
        left_radius_m: Optional[Array],
        right_radius_m: Optional[Array],
    ) -> None: ...
    def restart(self) -> None: ...

class Shape: ...

class Mesh:
    vertices_m: Array
    triangles: Array
    def __init__(self, vertices_m: Array, triangles: Array) -> None: ...
    @staticmethod
    def load(path: str, unit_m: float) -> Mesh: ...
    def tree(self) -> Tree: ...

class Tree:
    closed: bool
    def nearest(self, points_m: Array) -> Tuple[Array, Array, Array]: ...
    def contains(self, points_m: Array) -> Array: ...
    def at(self, position_m: Numbers, orientation: Numbers) -> Shape: ...
