#include "collision/query/warm_up.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "collision/mesh/mesh_tree.h"
#include "collision/query/frame_code.h"
#include "collision/query/frame_dispatch.h"

// Once for every instruction set: each asks for its own code.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "collision/query/warm_up.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#if !defined(GLOVEBOX_SECTION)
// A function that tells where the code of a section lies, which the linker knows.
#if GLOVEBOX_HAS_FRAME_CODE
#define GLOVEBOX_SECTION(MARK, FUNCTION, NAME)                                                        \
    extern const char k##FUNCTION##Begin[] asm("__start_" NAME);                                      \
    extern const char k##FUNCTION##End[] asm("__stop_" NAME);                                         \
    namespace {                                                                                       \
    MARK std::span<const char> FUNCTION() {                                                           \
        return {k##FUNCTION##Begin, static_cast<std::size_t>(k##FUNCTION##End - k##FUNCTION##Begin)}; \
    }                                                                                                 \
    }
#else
#define GLOVEBOX_SECTION(MARK, FUNCTION, NAME) \
    namespace {                                \
    MARK std::span<const char> FUNCTION() {    \
        return {};                             \
    }                                          \
    }
#endif
#endif

HWY_BEFORE_NAMESPACE();
namespace glovebox::collision::HWY_NAMESPACE {

GLOVEBOX_SECTION(GLOVEBOX_FRAME_CODE_LANES, FrameLanes, "glovebox_frame_" HWY_STR(HWY_NAMESPACE))
GLOVEBOX_SECTION(GLOVEBOX_FRAME_CODE_LANES, MeetLanes, "glovebox_meet_" HWY_STR(HWY_NAMESPACE))
GLOVEBOX_SECTION(GLOVEBOX_FRAME_CODE_LANES, WalkLanes, "glovebox_walk_" HWY_STR(HWY_NAMESPACE))
GLOVEBOX_SECTION(GLOVEBOX_FRAME_CODE_LANES, KeptLanes, "glovebox_kept_" HWY_STR(HWY_NAMESPACE))
GLOVEBOX_SECTION(GLOVEBOX_FRAME_CODE_LANES, AnewLanes, "glovebox_anew_" HWY_STR(HWY_NAMESPACE))
GLOVEBOX_SECTION(GLOVEBOX_FRAME_CODE_LANES, AnewCoreLanes, "glovebox_anew_core_" HWY_STR(HWY_NAMESPACE))

}  // namespace glovebox::collision::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glovebox::collision {

GLOVEBOX_SECTION(GLOVEBOX_FRAME_CODE, frame_code, "glovebox_frame")
GLOVEBOX_SECTION(GLOVEBOX_FRAME_CODE, solid_code, "glovebox_solid")
GLOVEBOX_SECTION(GLOVEBOX_FRAME_CODE, meet_code, "glovebox_meet")
GLOVEBOX_SECTION(GLOVEBOX_FRAME_CODE, mesh_code, "glovebox_mesh")
GLOVEBOX_SECTION(GLOVEBOX_FRAME_CODE, cone_code, "glovebox_cone")
GLOVEBOX_SECTION(GLOVEBOX_FRAME_CODE, core_code, "glovebox_core")
GLOVEBOX_SECTION(GLOVEBOX_FRAME_CODE, anew_code, "glovebox_anew")
GLOVEBOX_SECTION(GLOVEBOX_FRAME_CODE, frame_data, "glovebox_frame_data")

namespace {

GLOVEBOX_FRAME_EXPORT(FrameLanes);
GLOVEBOX_FRAME_EXPORT(MeetLanes);
GLOVEBOX_FRAME_EXPORT(WalkLanes);
GLOVEBOX_FRAME_EXPORT(KeptLanes);
GLOVEBOX_FRAME_EXPORT(AnewLanes);
GLOVEBOX_FRAME_EXPORT(AnewCoreLanes);

constexpr std::uintptr_t kLine = 64;
// More objects are for a broad phase to read, not for each frame.
constexpr std::size_t kMostObjects = 32;
// A mesh of so many nodes, some twenty thousand triangles, is a place rather than a thing: the hand is in it.
constexpr std::size_t kNodesOfAPlace = 2000;

template <int kLocality>
void ask_for_lines(const void* from, std::size_t bytes) {
    const auto begin = reinterpret_cast<std::uintptr_t>(from) & ~(kLine - 1);
    const auto end = reinterpret_cast<std::uintptr_t>(from) + bytes;
    for (std::uintptr_t at = begin; at < end; at += kLine)
        __builtin_prefetch(reinterpret_cast<const void*>(at), 0, kLocality);
}
// One loop each and not one at every call: this code is cold too. The asm says that a call does something: one to a
// function that only prefetches is left out.
GLOVEBOX_FRAME_CODE GLOVEBOX_RARE void ask_for_data(const void* from, std::size_t bytes) {
    ask_for_lines<3>(from, bytes);
    asm volatile("");
}
template <class Values>
void ask_for_all(const Values& values) {
    ask_for_data(std::data(values), std::size(values) * sizeof(*std::data(values)));
}
// Code is read by way of the second cache.
GLOVEBOX_FRAME_CODE GLOVEBOX_RARE void ask_for_code(std::span<const char> code) {
    ask_for_lines<2>(code.data(), code.size());
    asm volatile("");
}

// What a frame's calls will put on the stack: they reach this far down.
void ask_for_stack() {
#if GLOVEBOX_HAS_FRAME_CODE
    constexpr std::size_t kDeepest = 6144;
    const auto* const here = static_cast<const char*>(__builtin_frame_address(0));
    for (std::size_t down = 0; down < kDeepest; down += kLine) __builtin_prefetch(here - down, 1, 3);
#endif
}

// What a frame reads of it first: a palm's core besides.
void ask_for_all(const PlaceMemory& place) {
    for (const MeshMemory& bone : place.bones) ask_for_data(&bone, 2 * kLine);
    if (!place.bones.empty()) ask_for_data(&place.bones.front().core, sizeof(Obb));
}

}  // namespace

// In the order in which things are read, and nothing is read before what has been asked for since has taken as long
// to ask for as it takes to come.
GLOVEBOX_FRAME_CODE GLOVEBOX_FLAT void warm_up(const ArticulatedBody& body, const BodyPose& pose,
                                               const BodyBoxes& boxes, std::span<const Collider> objects,
                                               BodyMemory* memory) {
    // Itself, as much of it as there is.
    ask_for_code({reinterpret_cast<const char*>(&warm_up), 16 * kLine});
    const auto some = objects.first(std::min(objects.size(), kMostObjects));
    ask_for_all(frame_data());
    ask_for_all(some);
    // Which meshes are remembered decides below what else is asked for.
    for (std::size_t i = 0; memory != nullptr && i < some.size(); ++i) ask_for_data(&memory->at(i), 1);
    ask_for_all(pose.shapes);
    ask_for_all(pose.leaf_boxes);
    ask_for_all(pose.joints_m);
    ask_for_all(pose.bone_present);
    ask_for_code(frame_code());
    ask_for_stack();
    ask_for_all(body.nodes);
    ask_for_all(boxes.obb);
    ask_for_all(boxes.present);
    ask_for_all(boxes.changed);
    ask_for_all(boxes.plan.groups());
    bool solids = false;
    for (const Collider& object : some) {
        const auto* mesh = std::get_if<MeshInstance>(&object.shape);
        if (mesh != nullptr) ask_for_data(mesh->tree.get(), sizeof(MeshTree));
        if (mesh == nullptr) solids = true;
    }
    ask_for_code(GLOVEBOX_FRAME_DISPATCH(FrameLanes)());
    if (solids) ask_for_code(solid_code());
    bool met = false, walked = false, kept = false;
    for (std::size_t i = 0; i < some.size(); ++i) {
        const auto* mesh = std::get_if<MeshInstance>(&some[i].shape);
        if (mesh == nullptr) continue;
        if (memory != nullptr && memory->at(i).tree == mesh->tree) {
            kept = true;
            ask_for_all(memory->at(i));
            continue;
        }
        // The root, and behind it its children.
        const std::span<const NearTree::Node> nodes = mesh->tree->near_tree().nodes();
        ask_for_all(nodes.first(std::min(nodes.size(), NearTree::kWidth + 1)));
        met = true;
        walked = walked || nodes.size() >= kNodesOfAPlace;
    }
    if (met || solids) ask_for_meet_code();
    if (walked) ask_for_code(GLOVEBOX_FRAME_DISPATCH(WalkLanes)());
    if (kept) ask_for_code(GLOVEBOX_FRAME_DISPATCH(KeptLanes)());
    if (walked || kept) ask_for_code(mesh_code());
    if (walked) {
        ask_for_code(anew_code());
        ask_for_cone_code();
        ask_for_core_code();
    }
    if (kept) memory->woken = true;
}

void ask_for(const void* from, std::size_t bytes) {
    ask_for_data(from, bytes);
}

GLOVEBOX_FRAME_CODE void ask_for_meet_code() {
    ask_for_code(meet_code());
    ask_for_code(GLOVEBOX_FRAME_DISPATCH(MeetLanes)());
}
GLOVEBOX_FRAME_CODE void ask_for_cone_code() {
    ask_for_code(cone_code());
}
GLOVEBOX_FRAME_CODE void ask_for_core_code() {
    ask_for_code(core_code());
}
GLOVEBOX_FRAME_CODE void ask_for_anew_code(bool of_a_core) {
    ask_for_code(anew_code());
    ask_for_code(GLOVEBOX_FRAME_DISPATCH(AnewLanes)());
    if (of_a_core) ask_for_code(GLOVEBOX_FRAME_DISPATCH(AnewCoreLanes)());
}

std::size_t frame_code_bytes() {
    return GLOVEBOX_FRAME_DISPATCH(FrameLanes)().size() + frame_code().size();
}

}  // namespace glovebox::collision
#endif
