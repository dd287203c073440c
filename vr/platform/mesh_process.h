// Meshes of strangers, read in a process of their own.
//
// The libraries that read meshes are large and old, and a file that somebody sent may be made to break one of them. So
// it is read in a child of this process, which may take only so much memory and time (scenes/mesh_limits.h), writes no
// file and hands back vertices and triangles through a pipe. Whatever happens to the child, this process goes on with
// a mesh that it has checked itself, or with one line.
#pragma once

#include <filesystem>

#include "scenes/scene.h"

namespace glovebox::vr {

/// Does what scenes::load_mesh() does, in a child process. Throws std::runtime_error: what load_mesh() throws, or that
/// reading the file takes too much memory or time, or ends the process that reads it.
collision::Mesh load_mesh_apart(const std::filesystem::path& path, float unit_m);

/// The same with another reader than scenes::load_mesh(). It runs in the child.
collision::Mesh load_mesh_apart(const std::filesystem::path& path, float unit_m, scenes::MeshLoader read);

}  // namespace glovebox::vr
