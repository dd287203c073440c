// Of Assimp's fifty importers, those that are asked for.
#pragma once

#include <string_view>

namespace Assimp {
class Importer;
}

namespace glovebox::scenes {

/// Takes away every importer but those for files with this ending ("obj", "stl", "ply", "glb"). Without it Assimp goes
/// by the content and reads formats that no one asked for, under any name.
void keep_importers_of(std::string_view ending, Assimp::Importer& importer);

}  // namespace glovebox::scenes
