// Coal: hull pairs, mesh pairs and boxes, in double.
#include <coal/BV/OBB.h>
#include <coal/BVH/BVH_model.h>
#include <coal/collision.h>
#include <coal/distance.h>
#include <coal/shape/convex.h>

#include <limits>
#include <memory>

#include "tests/timing/peers/peer_library.h"

namespace glovebox::timing {
namespace {

coal::Vec3s vec(const Point& at) {
    return {at[0], at[1], at[2]};
}
coal::Matrix3s axes(const PlainPose& pose) {
    coal::Matrix3s result;
    result << vec(pose.axes[0]), vec(pose.axes[1]), vec(pose.axes[2]);
    return result;
}
coal::Transform3s transform(const PlainPose& pose) {
    return {axes(pose), vec(pose.at_m)};
}

struct Parts {
    std::shared_ptr<std::vector<coal::Vec3s>> vertices = std::make_shared<std::vector<coal::Vec3s>>();
    std::shared_ptr<std::vector<coal::Triangle>> triangles = std::make_shared<std::vector<coal::Triangle>>();

    explicit Parts(const PlainMesh& mesh) {
        for (const Point& at : mesh.vertices_m) vertices->push_back(vec(at));
        for (const auto& t : mesh.triangles) triangles->emplace_back(t[0], t[1], t[2]);
    }
};

HullQuery hulls(const PlainMesh& a, const PlainMesh& b) {
    struct Pair {
        explicit Pair(const Parts& of_a, const Parts& of_b)
            : a(of_a.vertices, static_cast<unsigned>(of_a.vertices->size()), of_a.triangles,
                static_cast<unsigned>(of_a.triangles->size())),
              b(of_b.vertices, static_cast<unsigned>(of_b.vertices->size()), of_b.triangles,
                static_cast<unsigned>(of_b.triangles->size())) {
            request.gjk_initial_guess = coal::GJKInitialGuess::CachedGuess;
        }
        coal::Convex<coal::Triangle> a, b;
        coal::ComputeDistance query{&a, &b};
        coal::DistanceRequest request{true, true};  // its guess is kept from the last call
        coal::DistanceResult result;
    };
    return [pair = std::make_shared<Pair>(Parts(a), Parts(b))](const PlainPose& pose) {
        pair->result.clear();
        const double distance =
            pair->query(coal::Transform3s::Identity(), transform(pose), pair->request, pair->result);
        pair->request.updateGuess(pair->result);
        return distance;
    };
}

MeshQuery meshes(const PlainMesh& both) {
    const auto model = std::make_shared<coal::BVHModel<coal::OBB>>();
    const Parts parts(both);
    model->beginModel(static_cast<unsigned>(parts.triangles->size()), static_cast<unsigned>(parts.vertices->size()));
    model->addSubModel(*parts.vertices, *parts.triangles);
    model->endModel();
    return [model](const PlainPose& pose, bool all) {
        coal::CollisionRequest request(coal::NO_REQUEST, all ? std::numeric_limits<int>::max() : 1);
        request.break_distance = 0.0;  // no work for boxes that are only near
        coal::CollisionResult result;
        coal::collide(model.get(), coal::Transform3s::Identity(), model.get(), transform(pose), request, result);
        return static_cast<std::int64_t>(result.numContacts());
    };
}

std::vector<coal::OBB> oriented(std::span<const PlainBox> boxes) {
    std::vector<coal::OBB> result;
    for (const PlainBox& box : boxes) {
        coal::OBB& obb = result.emplace_back();
        obb.axes = axes(box.pose);
        obb.To = vec(box.pose.at_m);
        obb.extent = vec(box.half_m);
    }
    return result;
}

BoxQuery boxes(std::span<const PlainBox> a, std::span<const PlainBox> b, bool every) {
    return [a = oriented(a), b = oriented(b), every] {
        std::int64_t hits = 0;
        for (std::size_t i = 0; i < a.size(); ++i)
            for (std::size_t k = every ? 0 : i; k < (every ? b.size() : i + 1); ++k) hits += a[i].overlap(b[k]);
        return hits;
    };
}

}  // namespace

PeerLibrary coal_library() {
    return {"Coal", nullptr, hulls, meshes, boxes, nullptr};
}

}  // namespace glovebox::timing
