#include "recordings/log/log_views.h"

#include <algorithm>
#include <array>

namespace glovebox::recordings {
namespace {

// The session stores the names of bones and objects in `meta` as bone.0, bone.1 ..., object.0 ...
constexpr std::array<std::string_view, 8> kViews = {
    "CREATE VIEW joint AS WITH list(joint, name) AS (VALUES (0, 'palm'), (1, 'wrist'), (2, 'thumb_metacarpal'), "
    "(3, 'thumb_proximal'), (4, 'thumb_distal'), (5, 'thumb_tip'), (6, 'index_metacarpal'), (7, 'index_proximal'), "
    "(8, 'index_intermediate'), (9, 'index_distal'), (10, 'index_tip'), (11, 'middle_metacarpal'), "
    "(12, 'middle_proximal'), (13, 'middle_intermediate'), (14, 'middle_distal'), (15, 'middle_tip'), "
    "(16, 'ring_metacarpal'), (17, 'ring_proximal'), (18, 'ring_intermediate'), (19, 'ring_distal'), "
    "(20, 'ring_tip'), (21, 'little_metacarpal'), (22, 'little_proximal'), (23, 'little_intermediate'), "
    "(24, 'little_distal'), (25, 'little_tip')) SELECT joint, name FROM list",
    "CREATE VIEW validity_bit AS WITH list(bit, name) AS (VALUES (1, 'orientation_valid'), (2, 'position_valid'), "
    "(4, 'orientation_tracked'), (8, 'position_tracked')) SELECT bit, name FROM list",
    "CREATE VIEW finger AS WITH list(finger, name) AS (VALUES (-1, 'palm'), (0, 'thumb'), (1, 'index'), (2, 'middle'), "
    "(3, 'ring'), "
    "(4, 'little')) SELECT finger, name FROM list",
    "CREATE VIEW bone AS SELECT CAST(substr(key, 6) AS INTEGER) AS bone, value AS name FROM meta "
    "WHERE key GLOB 'bone.[0-9]*'",
    "CREATE VIEW object AS SELECT CAST(substr(key, 8) AS INTEGER) AS object, value AS name FROM meta "
    "WHERE key GLOB 'object.[0-9]*'",
    "CREATE VIEW touches AS SELECT contact.sample, sample.time_ns * 1e-9 AS time_s, contact.hand, bone.name AS bone, "
    "object.name AS object, distance_m, x, y, z, nx, ny, nz FROM contact JOIN sample ON sample.id = contact.sample "
    "LEFT JOIN bone ON bone.bone = contact.bone LEFT JOIN object ON object.object = contact.object",
    "CREATE VIEW events AS SELECT event.time_ns * 1e-9 AS time_s, kind, hand, finger.name AS finger, "
    "object.name AS object FROM event LEFT JOIN finger ON finger.finger = event.finger "
    "LEFT JOIN object ON object.object = event.object",
    "CREATE VIEW frames_long AS WITH long(sample, stage, us) AS (SELECT sample, 'ingest', ingest_us FROM frame "
    "UNION ALL SELECT sample, 'refit', refit_us FROM frame UNION ALL SELECT sample, 'test', test_us FROM frame "
    "UNION ALL SELECT sample, 'exact', exact_us FROM frame UNION ALL SELECT sample, 'step', step_us FROM frame "
    "UNION ALL SELECT sample, 'haptics', haptics_us FROM frame UNION ALL SELECT sample, 'total', total_us FROM frame) "
    "SELECT sample, time_ns * 1e-9 AS time_s, stage, us FROM long JOIN sample ON sample.id = long.sample",
};

// Views of older logs. Their `touches` leaves out the contacts above 0 m, whatever the scene's thresholds are.
constexpr std::array<std::string_view, 1> kOldViews = {
    "CREATE VIEW touches AS SELECT contact.sample, sample.time_ns * 1e-9 AS time_s, contact.hand, bone.name AS bone, "
    "object.name AS object, distance_m, x, y, z, nx, ny, nz FROM contact JOIN sample ON sample.id = contact.sample "
    "LEFT JOIN bone ON bone.bone = contact.bone LEFT JOIN object ON object.object = contact.object "
    "WHERE distance_m <= 0",
};

}  // namespace

std::span<const std::string_view> log_views() {
    return kViews;
}

bool is_log_view(std::string_view sql) {
    return std::ranges::find(kViews, sql) != kViews.end() || std::ranges::find(kOldViews, sql) != kOldViews.end();
}

}  // namespace glovebox::recordings
