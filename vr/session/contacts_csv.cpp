#include "vr/session/contacts_csv.h"

#include <array>
#include <cmath>
#include <cstdio>

#include "tracking/quoted.h"
#include "vr/session/session.h"

namespace glovebox::vr {

double without_minus_zero(float value, int decimals) {
    const double wide = value;
    return std::abs(wide) <= 0.5 * std::pow(10.0, -decimals) ? 0.0 : wide;
}

ContactsCsv::ContactsCsv(const std::filesystem::path& path) : out_(path) {
    out_.write(
        "frame,time_s,hand,bone,object,touching,distance_m,depth_m,normal_x,normal_y,normal_z,"
        "on_hand_x_m,on_hand_y_m,on_hand_z_m,on_object_x_m,on_object_y_m,on_object_z_m,point\n");
}

void ContactsCsv::frame(const Session& session) {
    const float touch_m = session.scene.thresholds.touch_enter_m;
    for (const tracking::Side side : {tracking::Side::left, tracking::Side::right}) {
        const scenes::HandState& hand = session.pipeline.world.hands[side];
        auto point = hand.points.begin();
        for (const collision::Contact& contact : hand.contacts) {
            const bool touching = contact.distance_m <= touch_m;
            if (!touching) add_row(session, side, contact, 0, false);
            for (int number = 0; touching && point != hand.points.end() && point->bone == contact.bone &&
                                 point->object == contact.object;
                 ++point)
                add_row(session, side, *point, number++, true);
        }
    }
}

void ContactsCsv::add_row(const Session& session, tracking::Side side, const collision::Contact& contact, int point,
                          bool touching) {
    std::array<char, 640> numbers{};  // room for the longest floats
    const auto write = [&](const char* format, auto... values) {
        const int length = std::snprintf(numbers.data(), numbers.size(), format, values...);
        out_.write({numbers.data(), static_cast<std::size_t>(length)});
    };
    const auto number = [](float value) { return without_minus_zero(value, 6); };
    const auto along = [](float value) { return without_minus_zero(value, 5); };
    write("%d,%.6f,", session.frame(), session.time_s());
    // The object's name comes from the scene file: it may have any length and any characters.
    out_.write(std::string(tracking::name_of(side)) + ',' +
               scenes::hand_body().bone_names[static_cast<std::size_t>(contact.bone)] + ',' +
               tracking::csv_cell(session.scene.objects[static_cast<std::size_t>(contact.object)].name));
    write(",%d,%.6f,%.6f,%.5f,%.5f,%.5f,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%d\n", touching ? 1 : 0,
          number(contact.distance_m), number(contact.depth_m()), along(contact.normal.x()), along(contact.normal.y()),
          along(contact.normal.z()), number(contact.on_body_m.x()), number(contact.on_body_m.y()),
          number(contact.on_body_m.z()), number(contact.on_object_m.x()), number(contact.on_object_m.y()),
          number(contact.on_object_m.z()), point);
}

void ContactsCsv::finish(const Session&, nlohmann::ordered_json&) {
    out_.commit();
}

}  // namespace glovebox::vr
