// PQP: mesh pairs. It is built for float or double, and for oriented boxes alone or with its other volumes.
#include <PQP.h>

#include <memory>
#include <type_traits>

#include "tests/timing/peers/peer_library.h"

namespace glovebox::timing {
namespace {

MeshQuery meshes(const PlainMesh& both) {
    const auto model = std::make_shared<PQP_Model>();
    model->BeginModel(static_cast<int>(both.triangles.size()));
    int next = 0;
    for (const auto& triangle : both.triangles) {
        std::array<std::array<PQP_REAL, 3>, 3> corners;
        for (std::size_t k = 0; k < 3; ++k)
            for (std::size_t i = 0; i < 3; ++i) corners[k][i] = both.vertices_m[triangle[k]][i];
        model->AddTri(corners[0].data(), corners[1].data(), corners[2].data(), next++);
    }
    model->EndModel();
    return [model, result = std::make_shared<PQP_CollideResult>()](const PlainPose& pose, bool all) {
        PQP_REAL here[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, zero[3] = {0, 0, 0}, turn[3][3], at[3];
        for (std::size_t k = 0; k < 3; ++k) {
            for (std::size_t i = 0; i < 3; ++i) turn[i][k] = pose.axes[k][i];
            at[k] = pose.at_m[k];
        }
        PQP_Collide(result.get(), here, zero, model.get(), turn, at, model.get(),
                    all ? PQP_ALL_CONTACTS : PQP_FIRST_CONTACT);
        return std::int64_t{result->NumPairs()};
    };
}

}  // namespace

PeerLibrary pqp() {
    return {std::is_same_v<PQP_REAL, float> ? "PQP, float" : "PQP, double", nullptr, nullptr, meshes, nullptr, nullptr};
}

}  // namespace glovebox::timing
