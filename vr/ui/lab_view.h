// A laboratory's state for display, with many bodies and lines as a scale model on the table, and figures for the
// panel.
//
// A crowd on 30 x 40 m or a slope of rocks is drawn as a scale model. So light, ground, camera and lines are the same
// as in scenes with hands. All lengths here are lengths of the model, in metres, with +Y up; the laboratory scales its
// world to them. The types are plain values; the window draws them and returns ViewCommands.
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

/// One of many bodies that share a mesh. All bodies of one mesh are drawn in one call.
struct LabBody {
    Eigen::Vector3f at_m;
    Eigen::Vector4f turn = {0.0F, 0.0F, 0.0F, 1.0F};  ///< unit quaternion x y z w
    Eigen::Vector3f size = {1.0F, 1.0F, 1.0F};        ///< scale of the mesh along its own axes; no component may be 0
    Eigen::Vector3f color;                            ///< sRGB 0..1
};

/// Bodies that share a mesh.
struct LabBodies {
    const DrawMesh* mesh = nullptr;  ///< uploaded when the pointer changes; the mesh itself must not change
    std::vector<LabBody> bodies;
};

/// A line segment.
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

/// A row of the panel's table: the cost of one method.
struct LabCost {
    std::string_view name;
    const DurationHistogram* cost = nullptr;
};

/// A named value in the panel.
struct LabFigure {
    std::string name, value;
};

/// A row of buttons in the panel.
struct LabChoice {
    std::string name;
    std::vector<std::string> options;
    std::size_t chosen = 0;
};

/// A colour and its meaning, with a live count.
struct LabLegendEntry {
    std::string name;
    int count;
    std::uint32_t color;
    float width_px;
};

/// All state of a laboratory that is drawn.
struct LabView {
    std::vector<LabBodies> bodies;
    std::vector<LabLine> lines;  ///< drawn in this order
    std::vector<LabFace> faces;
    float ground_y_m = 0.0F;
    OrbitCamera camera;         ///< initial camera
    int stand = 0;              ///< changes when the camera should return to `camera`
    std::uint64_t version = 0;  ///< changes whenever the picture does

    std::string headline;                         ///< "A step of the broad phase, 99th percentile"
    const DurationHistogram* measured = nullptr;  ///< the durations that the headline describes
    double budget_us = 1e6 / 90.0;                ///< the badge compares `measured` with this budget
    std::string budget_name = "1/90 s";
    std::string costs_title;  ///< "Every row on these rocks"
    std::vector<LabCost> costs;
    std::string figures_title;
    std::vector<LabFigure> figures;
    std::vector<LabChoice> choices;
    std::vector<LabLegendEntry> legend;
};

}  // namespace glovebox::vr
