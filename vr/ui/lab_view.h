// A laboratory as the window shows it: many bodies and lines as a model on the table, and figures for the panel.
//
// A crowd on 30 x 40 m or a slope of rocks is drawn as a model in reach of an arm, so light, ground, camera and lines
// are those of the scenes of hands. All lengths here are the model's, metres, +Y up; whoever fills it does the scaling.
// Values only: the window draws them and returns ViewCommands; nothing here steps anything.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vr/render/camera.h"
#include "vr/render/object_mesh.h"
#include "vr/session/stage_stats.h"

namespace glovebox::vr {

/// One of many bodies that share a mesh: all of one mesh are one draw call.
struct LabBody {
    Eigen::Vector3f at_m;
    Eigen::Vector4f turn = {0.0F, 0.0F, 0.0F, 1.0F};  ///< unit quaternion x y z w
    Eigen::Vector3f size = {1.0F, 1.0F, 1.0F};        ///< of the mesh, along its own axes; none 0
    Eigen::Vector3f color;                            ///< sRGB 0..1
};

struct LabBodies {
    const DrawMesh* mesh = nullptr;  ///< uploaded when the pointer is new; must not change behind it
    std::vector<LabBody> bodies;
};

struct LabLine {
    Eigen::Vector3f a_m, b_m;
    std::uint32_t color;  ///< 0xRRGGBB
    float width_px, alpha;
};

/// A faintly filled triangle.
struct LabFace {
    std::array<Eigen::Vector3f, 3> corners_m;
    std::uint32_t color;
    float alpha;
};

/// A row of the panel's table: what one method costs here.
struct LabCost {
    std::string_view name;
    const DurationHistogram* cost = nullptr;
};

struct LabFigure {
    std::string name, value;
};

/// A row of buttons in the panel.
struct LabChoice {
    std::string name;
    std::vector<std::string> options;
    std::size_t chosen = 0;
};

struct LabLegendEntry {
    std::string name;
    int count;
    std::uint32_t color;
    float width_px;
};

struct LabView {
    std::vector<LabBodies> bodies;
    std::vector<LabLine> lines;  ///< drawn in this order
    std::vector<LabFace> faces;
    float ground_y_m = 0.0F;
    OrbitCamera camera;         ///< where to stand at first
    int stand = 0;              ///< changes when the camera should go there again
    std::uint64_t version = 0;  ///< changes whenever the picture does

    std::string headline;                         ///< "A step of the broad phase, 99th percentile"
    const DurationHistogram* measured = nullptr;  ///< what the headline is of
    double budget_us = 1e6 / 90.0;                ///< what the badge compares it with
    std::string budget_name = "1/90 s";
    std::string costs_title;  ///< "Every row on these rocks"
    std::vector<LabCost> costs;
    std::string figures_title;
    std::vector<LabFigure> figures;
    std::vector<LabChoice> choices;
    std::vector<LabLegendEntry> legend;
};

}  // namespace glovebox::vr
