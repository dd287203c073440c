// GLSL sources of all shaders of the scene. OpenGL 3.3 core; colours are computed in linear space (gamma 2.0).
#pragma once

#include <string>

namespace glovebox::vr::shaders {

/// GLSL source of a program's two shaders.
struct Source {
    std::string vertex, fragment;
};

Source background();   ///< a vertical gradient by the view ray's elevation
Source solid();        ///< scene objects
Source many_solids();  ///< instances of one mesh, each with its own pose, size and colour
Source table();        ///< the ground: grid, fade to the background, contact shadow
Source skin();         ///< the hand, deformed by its bones
Source solid_depth();  ///< shadow map
Source many_depth();
Source skin_depth();    ///< shadow map, in which the forearm is dithered away
Source solid_height();  ///< height above the ground, as seen from below
Source many_height();
Source skin_height();
Source blur();   ///< one direction of a 9-tap blur
Source line();   ///< box edges as screen-space quads
Source tint();   ///< faintly filled box faces
Source mark();   ///< contact discs
Source arrow();  ///< contact arrows
Source copy();   ///< a texture over the whole viewport

}  // namespace glovebox::vr::shaders
