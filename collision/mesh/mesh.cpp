#include "collision/mesh/mesh.h"

#include <stdexcept>
#include <string>

namespace glovebox::collision {

void check(const Mesh& mesh) {
    if (mesh.triangles.empty()) throw std::invalid_argument("mesh: no triangles; nothing could be touched");
    for (std::size_t i = 0; i < mesh.vertices_m.size(); ++i)
        if (!mesh.vertices_m[i].allFinite())
            throw std::invalid_argument("mesh: vertex " + std::to_string(i) + " is not finite");
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
        for (const std::uint32_t index : mesh.triangles[i])
            if (index >= mesh.vertices_m.size())
                throw std::invalid_argument("mesh: triangle " + std::to_string(i) + " names vertex " +
                                            std::to_string(index) + " of " + std::to_string(mesh.vertices_m.size()));
}

}  // namespace glovebox::collision
