#include "collision/warm_up.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "collision/frame_code.h"
#include "collision/frame_dispatch.h"
#include "collision/mesh_tree.h"

// Once for every instruction set: each asks for its own code.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "collision/warm_up.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace glovebox::collision::HWY_NAMESPACE {

#if GLOVEBOX_HAS_FRAME_CODE
extern const char kLanesBegin[] asm("__start_glovebox_frame_" HWY_STR(HWY_NAMESPACE));
extern const char kLanesEnd[] asm("__stop_glovebox_frame_" HWY_STR(HWY_NAMESPACE));
extern const char kMeshLanesBegin[] asm("__start_glovebox_mesh_" HWY_STR(HWY_NAMESPACE));
extern const char kMeshLanesEnd[] asm("__stop_glovebox_mesh_" HWY_STR(HWY_NAMESPACE));
#else
constexpr char kLanesBegin[1] = {};
constexpr const char* kLanesEnd = kLanesBegin;
constexpr char kMeshLanesBegin[1] = {};
constexpr const char* kMeshLanesEnd = kMeshLanesBegin;
#endif

namespace {

GLOVEBOX_FRAME_CODE_LANES std::span<const char> FrameCode() {
    return {kLanesBegin, static_cast<std::size_t>(kLanesEnd - kLanesBegin)};
}
GLOVEBOX_FRAME_CODE_LANES std::span<const char> MeshCode() {
    return {kMeshLanesBegin, static_cast<std::size_t>(kMeshLanesEnd - kMeshLanesBegin)};
}

}  // namespace
}  // namespace glovebox::collision::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glovebox::collision {

#if GLOVEBOX_HAS_FRAME_CODE
extern const char kPlainBegin[] asm("__start_glovebox_frame");
extern const char kPlainEnd[] asm("__stop_glovebox_frame");
extern const char kMeshBegin[] asm("__start_glovebox_mesh");
extern const char kMeshEnd[] asm("__stop_glovebox_mesh");
extern const char kDataBegin[] asm("__start_glovebox_frame_data");
extern const char kDataEnd[] asm("__stop_glovebox_frame_data");
#else
constexpr char kPlainBegin[1] = {};
constexpr const char* kPlainEnd = kPlainBegin;
constexpr char kMeshBegin[1] = {};
constexpr const char* kMeshEnd = kMeshBegin;
constexpr char kDataBegin[1] = {};
constexpr const char* kDataEnd = kDataBegin;
#endif

namespace {

GLOVEBOX_FRAME_EXPORT(FrameCode);
GLOVEBOX_FRAME_EXPORT(MeshCode);

constexpr std::uintptr_t kLine = 64;
// More objects are for a broad phase to read, not for each frame.
constexpr std::size_t kMostObjects = 32;
// A mesh of so many nodes, some twenty thousand triangles, is a place rather than a thing: the hand is in it.
constexpr std::size_t kNodesOfAPlace = 2000;

template <int kLocality>
void ask_for(const void* from, std::size_t bytes) {
    const auto begin = reinterpret_cast<std::uintptr_t>(from) & ~(kLine - 1);
    const auto end = reinterpret_cast<std::uintptr_t>(from) + bytes;
    for (std::uintptr_t at = begin; at < end; at += kLine)
        __builtin_prefetch(reinterpret_cast<const void*>(at), 0, kLocality);
}
template <class Values>
void ask_for_all(const Values& values) {
    ask_for<3>(std::data(values), std::size(values) * sizeof(*std::data(values)));
}
// Code is read by way of the second cache.
void ask_for_code(std::span<const char> code) {
    ask_for<2>(code.data(), code.size());
}

std::span<const char> plain_code() {
    return {kPlainBegin, static_cast<std::size_t>(kPlainEnd - kPlainBegin)};
}

std::span<const char> plain_mesh_code() {
    return {kMeshBegin, static_cast<std::size_t>(kMeshEnd - kMeshBegin)};
}

}  // namespace

// In the order in which things are read, and nothing is read before what has been asked for since has taken as long
// to ask for as it takes to come.
GLOVEBOX_FRAME_CODE GLOVEBOX_FLAT void warm_up(const ArticulatedBody& body, const BodyPose& pose,
                                               const BodyBoxes& boxes, std::span<const Collider> objects) {
    const auto some = objects.first(std::min(objects.size(), kMostObjects));
    ask_for<3>(kDataBegin, static_cast<std::size_t>(kDataEnd - kDataBegin));
    ask_for_all(some);
    ask_for_all(pose.shapes);
    ask_for_all(pose.leaf_boxes);
    ask_for_all(pose.joints_m);
    ask_for_all(pose.bone_present);
    ask_for_code(plain_code());
    ask_for_all(body.nodes);
    ask_for_all(boxes.obb);
    ask_for_all(boxes.present);
    ask_for_all(boxes.changed);
    ask_for_all(boxes.plan.groups());
    for (const Collider& object : some)
        if (const auto* mesh = std::get_if<MeshInstance>(&object.shape)) ask_for<3>(mesh->tree.get(), sizeof(MeshTree));
    ask_for_code(GLOVEBOX_FRAME_DISPATCH(FrameCode)());
    // The root, and behind it its children.
    bool in_a_place = false;
    for (const Collider& object : some)
        if (const auto* mesh = std::get_if<MeshInstance>(&object.shape)) {
            const std::span<const NearTree::Node> nodes = mesh->tree->near_tree().nodes();
            ask_for_all(nodes.first(std::min(nodes.size(), NearTree::kWidth + 1)));
            in_a_place = in_a_place || nodes.size() >= kNodesOfAPlace;
        }
    if (!in_a_place) return;
    ask_for_code(GLOVEBOX_FRAME_DISPATCH(MeshCode)());
    ask_for_code(plain_mesh_code());
}

void ask_for(const void* from, std::size_t bytes) {
    ask_for<3>(from, bytes);
}

std::size_t frame_code_bytes() {
    return GLOVEBOX_FRAME_DISPATCH(FrameCode)().size() + plain_code().size();
}

}  // namespace glovebox::collision
#endif
