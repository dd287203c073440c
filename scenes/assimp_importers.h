// Restricts Assimp to the importers of one file format.
#pragma once

#include <string_view>

namespace Assimp {
class Importer;
}

namespace glovebox::scenes {

/// Removes every importer except those for this file name extension ("obj", "stl", "ply", "glb"). With all importers,
/// Assimp detects the format from the content and reads every format that it knows, whatever the file is named.
void keep_importers_of(std::string_view ending, Assimp::Importer& importer);

}  // namespace glovebox::scenes
