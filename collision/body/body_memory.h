// What a body remembers of the meshes that its bones were near, from frame to frame.
//
// A hand moves little between two frames. With a memory a bone asks the triangles that were near it before it comes
// down the tree, and most of the time that settles it. Contacts are the same to the bit with or without, after any jump
// and in any order of frames: what is remembered is only where to look first. Which pairs are handed to the exact query
// is not the same: what is remembered rules out other ones than a bone's box does.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "collision/mesh/mesh_tree.h"

namespace glovebox::collision {

/// Of one mesh.
struct PlaceMemory {
    std::shared_ptr<const MeshTree> tree;  ///< kept, so that no other one comes to lie where it was
    std::vector<MeshMemory> bones;
    NearPlace near;  ///< round the whole body
};

class BodyMemory {
  public:
    /// All the memory that it will ever take, some 800 bytes a bone and mesh.
    explicit BodyMemory(std::size_t bones) {
        for (PlaceMemory& place : places_) {
            place.bones.resize(bones);
            // Not all of a hand's bones look anew in the same frame.
            for (std::size_t bone = 0; bone < bones; ++bone)
                place.bones[bone].room_m *=
                    0.75F + 0.5F * static_cast<float>((7 * bone) % bones) / static_cast<float>(bones);
        }
    }

    /// Of object number `object` of a scene. Objects whose numbers are kPlaces apart share a place: where both are near
    /// they forget each other.
    PlaceMemory& of(std::size_t object, const std::shared_ptr<const MeshTree>& tree) {
        PlaceMemory& place = places_[object % kPlaces];
        if (place.tree != tree) begin_anew(place, tree);
        return place;
    }

    /// What is remembered for that number, of whatever mesh.
    const PlaceMemory& at(std::size_t object) const { return places_[object % kPlaces]; }

  private:
    static void begin_anew(PlaceMemory& place, const std::shared_ptr<const MeshTree>& tree) {
        place.tree = tree;
        place.near.around_m = {};
        for (MeshMemory& bone : place.bones) bone.forget();
    }

    static constexpr std::size_t kPlaces = 8;
    std::array<PlaceMemory, kPlaces> places_;
};

}  // namespace glovebox::collision
