#include "vr/contacts_csv.h"

#include <array>
#include <cstdio>

namespace glovebox::vr {

ContactsCsv::ContactsCsv(const std::filesystem::path& path) : out_(path) {
    out_.write(
        "frame,time_s,hand,bone,object,touching,distance_m,depth_m,normal_x,normal_y,normal_z,"
        "on_hand_x_m,on_hand_y_m,on_hand_z_m,on_object_x_m,on_object_y_m,on_object_z_m,point\n");
}

void ContactsCsv::add(const Replay& replay) {
    const float touch_m = replay.scene.thresholds.touch_enter_m;
    for (const tracking::Side side : {tracking::Side::left, tracking::Side::right}) {
        const scenes::HandState& hand = replay.pipeline.world.hands[static_cast<std::size_t>(side)];
        auto point = hand.points.begin();
        for (const collision::Contact& contact : hand.contacts) {
            const bool touching = contact.distance_m <= touch_m;
            if (!touching) add_row(replay, side, contact, 0, false);
            for (int number = 0; touching && point != hand.points.end() && point->bone == contact.bone &&
                                 point->object == contact.object;
                 ++point)
                add_row(replay, side, *point, number++, true);
        }
    }
}

void ContactsCsv::add_row(const Replay& replay, tracking::Side side, const collision::Contact& contact, int point,
                          bool touching) {
    std::array<char, 512> line{};
    const auto number = [](float value) { return static_cast<double>(value); };
    const int length = std::snprintf(
        line.data(), line.size(), "%d,%.6f,%s,%s,%s,%d,%.6f,%.6f,%.5f,%.5f,%.5f,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%d\n",
        replay.frame(), replay.time_s(), side == tracking::Side::left ? "left" : "right",
        scenes::hand_body().bone_names[static_cast<std::size_t>(contact.bone)].c_str(),
        replay.scene.objects[static_cast<std::size_t>(contact.object)].name.c_str(), touching ? 1 : 0,
        number(contact.distance_m), number(contact.depth_m()), number(contact.normal.x()), number(contact.normal.y()),
        number(contact.normal.z()), number(contact.on_body_m.x()), number(contact.on_body_m.y()),
        number(contact.on_body_m.z()), number(contact.on_object_m.x()), number(contact.on_object_m.y()),
        number(contact.on_object_m.z()), point);
    out_.write({line.data(), static_cast<std::size_t>(length)});
}

void ContactsCsv::finish() {
    out_.commit();
}

}  // namespace glovebox::vr
