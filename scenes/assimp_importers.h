// Restricts Assimp to the importers of one file format.
#pragma once

#include <string_view>

namespace Assimp {
class Importer;
}

namespace glovebox::scenes {

/// Removes every importer except those for this file name extension ("obj", "stl", "ply", "glb"). Otherwise Assimp
/// detects the format from the content and reads any of its formats, whatever the file's name is.
void keep_importers_of(std::string_view ending, Assimp::Importer& importer);

}  // namespace glovebox::scenes
