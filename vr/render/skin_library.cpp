#include "vr/render/skin_library.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "vr/render/hand_mesh.h"
#include "vr/render/renderer.h"

namespace glovebox::vr {
namespace {

using tracking::Side;

constexpr float kCoarseCell_m = 0.0040F;

HandSkin sided(HandSkin right, Side side) {
    return side == Side::right ? std::move(right) : mirrored(right);
}

bool same_hand(const tracking::HandProfile& a, const tracking::HandProfile& b) {
    return a.radius_m == b.radius_m && a.length_to_parent_m == b.length_to_parent_m && a.shape == b.shape;
}

bool ready(const std::future<HandSkin>& skin) {
    return skin.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

}  // namespace

void SkinLibrary::update(const ViewModel& model, Renderer& renderer, bool wait) {
    if (model.hands == nullptr) return;
    if (model.hand_meshes != nullptr) {
        if (meshes_shown_ == model.hand_meshes) return;
        meshes_shown_ = model.hand_meshes;
        for (const Side side : {Side::left, Side::right})
            renderer.set_skin(side, (*model.hand_meshes)[side], (*model.hand_meshes)[side]);
        slots_ = {};
        return;
    }
    meshes_shown_ = nullptr;
    const int threads = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, 4U));
    for (const Side side : {Side::left, Side::right}) {
        if (!(*model.hands)[side].active) continue;
        Slot& slot = slots_[side];
        const tracking::HandProfile& profile = model.profiles[side];
        if (slot.profile && same_hand(*slot.profile, profile)) continue;
        slot.profile = profile;
        const HandSkeleton skeleton = rest_skeleton(profile, side);
        slot.coarse =
            sided(cached_skin(skeleton, {.cell_m = kCoarseCell_m, .threads = threads}, user_cache_folder()), side);
        slot.fine = std::async(std::launch::async, [skeleton, side, threads] {
            return sided(cached_skin(skeleton, {.threads = threads}, user_cache_folder()), side);
        });
        renderer.set_skin(side, slot.coarse, slot.coarse);
    }
    for (const Side side : {Side::left, Side::right}) {
        Slot& slot = slots_[side];
        if (!slot.fine.valid()) continue;
        if (wait || ready(slot.fine)) renderer.set_skin(side, slot.fine.get(), slot.coarse);
    }
}

bool SkinLibrary::settled() const {
    return std::ranges::none_of(slots_, [](const Slot& slot) { return slot.fine.valid(); });
}

}  // namespace glovebox::vr
