// Files as loggers, data sets and own scripts write them, in layouts that no standard defines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <iomanip>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "recordings/formats/joint_names.h"
#include "tests/recordings/more_files.h"

namespace glovebox::recordings::loggers {
namespace {

using nlohmann::ordered_json;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

constexpr int kFrames = 40;

float largest_apart_m(const HandFrame& read, const HandFrame& truth) {
    float apart_m = 0.0F;
    for (std::size_t j = 0; j < tracking::kJointCount; ++j)
        if ((read.joints[j].flags & tracking::joint_flags::kPositionTracked) != 0)
            apart_m = std::max(apart_m, (read.joints[j].position_m - truth.joints[j].position_m).norm());
    return read.active ? apart_m : 1.0F;
}

// Returns a hand away from the origin. A wrist without depth would be that of a picture.
HandFrame hand_apart(int i, Side side) {
    HandFrame hand = recordings::hand_apart(i, side);
    for (tracking::JointPose& joint : hand.joints) joint.position_m += Eigen::Vector3f(0.0F, 0.125F, -0.25F);
    return hand;
}

// Expects the hands that all files here hold: closing ones, a right one at the origin or both beside it.
void expect_hands(const Recording& recording, bool both, int frames = kFrames) {
    ASSERT_EQ(recording.samples.size(), static_cast<std::size_t>(frames));
    EXPECT_EQ(recording.has(Side::left), both);
    for (const int i : {0, frames / 2, frames - 1})
        for (const Side side : {Side::left, Side::right}) {
            if (side == Side::left && !both) continue;
            const HandFrame truth = both ? hand_apart(i, side) : closing_hand(i, side);
            EXPECT_LT(largest_apart_m(recording.samples[static_cast<std::size_t>(i)][side], truth), 1e-4F)
                << name_of(side) << " " << i;
        }
}

void expect_right(const std::string& text, std::string_view name = "right.json") {
    const TemporaryFile file(text, name);
    expect_hands(load(file.path()), false);
}

void expect_both(const std::string& text) {
    expect_hands(load(TemporaryFile(text).path()), true);
}

HandFrame hand_of(int i, Side side, bool both) {
    return both ? hand_apart(i, side) : closing_hand(i, side);
}

// Returns a copy: a range-based loop over `hand_of(...).joints[j].position_m` would read a hand that is gone.
Eigen::Vector3f position_m(const HandFrame& hand, std::size_t joint) {
    return hand.joints[joint].position_m;
}

std::array<float, 3> landmark(const HandFrame& hand, std::size_t k) {
    const Eigen::Vector3f p = hand.joints[static_cast<std::size_t>(kLandmarkJoints[k])].position_m;
    return {p.x(), -p.y(), -p.z()};
}

// 21 points in MediaPipe's axes.
ordered_json landmarks(int i, Side side, bool both = false) {
    ordered_json list = ordered_json::array();
    for (std::size_t k = 0; k < kLandmarkJoints.size(); ++k) list.push_back(landmark(hand_of(i, side, both), k));
    return list;
}

// The same as 63 numbers, or all x, then all y, then all z.
ordered_json flat(int i, Side side, bool both = false, bool apart = false) {
    ordered_json list = ordered_json::array();
    for (std::size_t n = 0; n < 63; ++n)
        list.push_back(apart ? landmark(hand_of(i, side, both), n % 21)[n / 21]
                             : landmark(hand_of(i, side, both), n / 3)[n % 3]);
    return list;
}

// Joints from `first` on, in OpenXR's order and axes.
ordered_json joints(int i, Side side, bool both = false, std::size_t first = 0) {
    ordered_json list = ordered_json::array();
    for (std::size_t j = first; j < tracking::kJointCount; ++j) {
        const Eigen::Vector3f p = hand_of(i, side, both).joints[j].position_m;
        list.push_back({p.x(), p.y(), p.z()});
    }
    return list;
}

ordered_json frames_of(const std::function<ordered_json(int)>& frame, int count = kFrames) {
    ordered_json list = ordered_json::array();
    for (int i = 0; i < count; ++i) list.push_back(frame(i));
    return list;
}

std::string lines_of(const std::function<ordered_json(int)>& frame) {
    std::string text;
    for (int i = 0; i < kFrames; ++i) text += frame(i).dump() + "\n";
    return text;
}

std::vector<std::string> landmark_columns() {
    std::vector<std::string> names;
    for (const char* name : kLandmarkNames)
        for (const char axis : {'x', 'y', 'z'}) names.push_back(std::string(name) + "_" + axis);
    return names;
}

// Writes the orientation "columns" without times; `label` returns the label of a row.
std::string table_with_labels(const std::function<std::string(int)>& label) {
    ordered_json table;
    const std::vector<std::string> names = landmark_columns();
    for (int i = 0; i < kFrames; ++i) {
        const ordered_json values = flat(i, Side::right);
        for (std::size_t n = 0; n < names.size(); ++n) table[names[n]][label(i)] = values[n];
    }
    return table.dump();
}

TEST(TableJson, ReadsEveryOrientationOfPandas) {
    for (const char* orientation : {"records", "lines", "list", "columns", "index", "split", "table"}) {
        SCOPED_TRACE(orientation);
        const TemporaryFile file(table_json(orientation, kFrames), "right.json");
        const Recording recording = load(file.path());
        EXPECT_EQ(recording.format, "table-json");
        expect_hands(recording, false);
        EXPECT_EQ(recording.samples[30].time_ns, 600'000'000);
    }
}

TEST(TableJson, LabelsThatDoNotCountTheRowsAreTimes) {
    const auto time_of_last = [](const std::function<std::string(int)>& label) {
        const TemporaryFile file(table_with_labels(label), "right.json");
        return load(file.path()).samples.back().time_ns;
    };
    EXPECT_EQ(time_of_last([](int i) { return std::to_string(1'700'000'000'000 + 20LL * i); }), 780'000'000);
    EXPECT_EQ(time_of_last([](int i) { return "2024-02-19 20:35:" + std::to_string(10 + i); }), 39'000'000'000);
    EXPECT_EQ(time_of_last([](int i) { return std::to_string(7 + i); }), 1'300'000'000) << "frames at 30 a second";
}

TEST(TableJson, ReadsRowsOfOneLandmarkAndColumnsOfJoints) {
    ordered_json rows = ordered_json::array(), wide = ordered_json::array();
    for (int i = 0; i < kFrames; ++i) {
        ordered_json row = {{"time", 0.02 * i}};
        for (const Side side : {Side::left, Side::right}) {
            for (std::size_t k = 0; k < 21; ++k) {
                const auto p = landmark(hand_apart(i, side), k);
                rows.push_back(
                    {{"frame", i}, {"hand", name_of(side)}, {"landmark", k}, {"x", p[0]}, {"y", p[1]}, {"z", p[2]}});
            }
            for (std::size_t j = 1; j < tracking::kJointCount; ++j)
                for (Eigen::Index axis = 0; axis < 3; ++axis)
                    row[std::string(name_of(side)) + "_" + std::string(name_of(static_cast<Joint>(j))) + "_" +
                        static_cast<char>('x' + axis)] = hand_apart(i, side).joints[j].position_m[axis];
        }
        wide.push_back(row);
    }
    expect_both(rows.dump());
    expect_both(wide.dump());
}

TEST(TableJson, WhatIsWrongIsNamed) {
    EXPECT_THAT(refusal(R"({"columns":["a","b"],"index":[0],"data":[[1,2]]})"),
                HasSubstr("not coordinates of a hand's points: 'a', 'b'"));
    ordered_json uneven = ordered_json::parse(table_json("list", 4));
    uneven["WRIST_x"].erase(0);
    EXPECT_THAT(refusal(uneven.dump()), HasSubstr("differ in their length"));
    const std::string records = table_json("records", kFrames);
    const TemporaryFile cut(records.substr(0, records.size() / 2), "right.json");
    const Recording recording = load(cut.path());
    EXPECT_THAT(recording.notes, Contains(HasSubstr("cut off")));
    EXPECT_GT(recording.samples.size(), 15U);
}

// A record of three bytes may lack thousands of columns.
TEST(TableJson, CellsWithoutValuesAreLimited) {
    ordered_json first;
    const ordered_json values = flat(0, Side::right);
    const std::vector<std::string> names = landmark_columns();
    for (std::size_t n = 0; n < names.size(); ++n) first[names[n]] = values[n];
    std::string records, labels;
    for (int i = 1; i < 10'000; ++i) {
        records += ",{}";
        labels.append(",\"").append(std::to_string(i)).append("\":{}");
    }
    ordered_json columns;
    for (std::size_t n = 0; n < names.size(); ++n) columns[names[n]] = {{"0", values[n]}};
    for (int i = 1; i < 10'000; ++i) columns[names[0]][std::to_string(i)] = 0;
    for (int c = 0; c < 3000; ++c) {
        first["c" + std::to_string(c)] = 0;
        columns["c" + std::to_string(c)] = ordered_json::object();
    }
    for (const std::string& text :
         {"[" + first.dump() + records + "]", R"({"0":)" + first.dump() + labels + "}", columns.dump()})
        EXPECT_THAT(refusal(text, "right.json"), HasSubstr("far more cells than values"));
}

TEST(HandJson, NumbersWithoutPointsAreLandmarks) {
    for (const bool apart : {false, true}) {
        const auto one = [apart](int i) { return flat(i, Side::right, false, apart); };
        expect_right(frames_of(one).dump());
        expect_right(ordered_json{{"label", "hello"}, {"landmarks", frames_of(one)}}.dump());
        expect_right(ordered_json{{"sequence", frames_of(one)}, {"hand", "right"}}.dump());
        expect_right(lines_of([&](int i) { return ordered_json{{"time", 0.1 * i}, {"right_hand", one(i)}}; }));
        std::vector<float> values;
        for (int i = 0; i < kFrames; ++i)
            for (const auto& value : one(i)) values.push_back(value.get<float>());
        expect_right(npy_array("40, 63", values), "right.npy");
    }
    expect_both(ordered_json{
        {"hand", "both"},
        {"frames", frames_of([](int i) {
             ordered_json two = flat(i, Side::left, true);
             for (const auto& v : flat(i, Side::right, true)) two.push_back(v);
             return two;
         })}}.dump());
    const auto matrices = [](int i) {  // as WebXR's fillPoses() writes them
        ordered_json list = ordered_json::array();
        for (std::size_t j = 1; j < tracking::kJointCount; ++j) {
            const Eigen::Vector3f p = closing_hand(i, Side::right).joints[j].position_m;
            for (const float v :
                 {1.0F, 0.0F, 0.0F, 0.0F, 0.0F, 1.0F, 0.0F, 0.0F, 0.0F, 0.0F, 1.0F, 0.0F, p.x(), p.y(), p.z(), 1.0F})
                list.push_back(v);
        }
        return ordered_json{{"time", 20 * i}, {"handedness", "right"}, {"poses", list}};
    };
    expect_right(frames_of(matrices).dump());
}

TEST(HandJson, FramesMayBeInAListOfAnyNameOrInListsOfEachHand) {
    const auto both = [](int i) {
        return ordered_json{{"left_hand", landmarks(i, Side::left, true)},
                            {"right_hand", landmarks(i, Side::right, true)}};
    };
    const ordered_json timed = {{"handsData", frames_of([&](int i) {
                                     ordered_json frame = both(i);
                                     frame["time"] = 0.05 * i;
                                     return frame;
                                 })}};
    expect_both(timed.dump());
    EXPECT_EQ(load(TemporaryFile(timed.dump()).path()).samples[20].time_ns, 1'000'000'000);
    expect_both(ordered_json{{"session", {{"user", 3}, {"takes", frames_of(both)}}}}.dump());
    expect_both(frames_of([&](int i) { return ordered_json{{"all", both(i)}}; }).dump());
    ordered_json counted;
    for (int i = 0; i < kFrames; ++i) counted["frame_" + std::to_string(i)] = both(i);
    expect_both(counted.dump());
    const ordered_json by_hand = {{"fps", 50},
                                  {"left_hand", frames_of([](int i) { return landmarks(i, Side::left, true); })},
                                  {"right_hand", frames_of([](int i) { return landmarks(i, Side::right, true); })}};
    expect_both(by_hand.dump());
    EXPECT_EQ(load(TemporaryFile(by_hand.dump()).path()).samples[20].time_ns, 400'000'000);
    const Recording pose = load(TemporaryFile(both(0).dump()).path());
    EXPECT_EQ(pose.samples.size(), 1U);
    const ordered_json listed = {{"hands",
                                  {{{"handedness", "Left"}, {"landmarks", landmarks(0, Side::left, true)}},
                                   {{"handedness", "Right"}, {"landmarks", landmarks(0, Side::right, true)}}}}};
    const Recording two = load(TemporaryFile(listed.dump(2)).path());
    ASSERT_EQ(two.samples.size(), 1U) << "the hands of one frame";
    EXPECT_TRUE(two.samples[0][Side::left].active && two.samples[0][Side::right].active);
}

TEST(HandJson, AThirdHandIsCounted) {
    const ordered_json document = {{"frames", frames_of([](int i) {
                                        return ordered_json{{"left", landmarks(i, Side::left, true)},
                                                            {"right", landmarks(i, Side::right, true)},
                                                            {"other_right", landmarks(i, Side::right)}};
                                    })}};
    EXPECT_THAT(load(TemporaryFile(document.dump()).path()).notes, Contains(HasSubstr("40 hands were left out")));
}

TEST(HandJson, TheTimeOfADocumentIsNotThatOfItsFrames) {
    ordered_json document = {{"timestamp", 1'700'000'000}};
    for (const Side side : {Side::left, Side::right})
        document[std::string(name_of(side))] = frames_of([side](int i) {
            return ordered_json{{"landmarks", landmarks(i, side, true)}};
        });
    const Recording recording = load(TemporaryFile(document.dump()).path());
    expect_hands(recording, true);
    EXPECT_NEAR(recording.duration_s(), 39 / 30.0, 1e-6);
}

TEST(HandJson, TimesMayBeStampsOfRosOrNumbersOfFrames) {
    const auto time_of_last = [](const std::function<ordered_json(int)>& head) {
        const std::string text = lines_of([&](int i) {
            ordered_json frame = head(i);
            frame["hand"] = "right";
            frame["landmarks"] = landmarks(i, Side::right);
            return frame;
        });
        return load(TemporaryFile(text).path()).samples.back().time_ns;
    };
    for (const auto& [sec, part] : {std::pair{"sec", "nanosec"}, {"secs", "nsecs"}})
        EXPECT_EQ(time_of_last([sec = sec, part = part](int i) {
                      return ordered_json{
                          {"header",
                           {{"seq", i}, {"stamp", {{sec, 1'700'000'000 + i / 20}, {part, 50'000'000 * (i % 20)}}}}}};
                  }),
                  1'950'000'000);
    EXPECT_EQ(time_of_last([](int i) { return ordered_json{{"frame", 2 * i + 5}}; }), 2'600'000'000);
}

TEST(HandJson, JointsMayComeInAnyOrder) {
    for (const char* key : {"id", "jointIndex"})
        expect_right(frames_of([key](int i) {
                         ordered_json list = ordered_json::array(), all = joints(i, Side::right);
                         for (std::size_t j = 0; j < 26; ++j) {
                             const std::size_t at = (7 * j + 3) % 26;
                             list.push_back({{key, at}, {"position", all[at]}});
                         }
                         return ordered_json{{"hand", "right"}, {"joints", list}};
                     }).dump());
    expect_right(frames_of([](int i) {  // numbers from 1
                     ordered_json list = ordered_json::array(), all = landmarks(i, Side::right);
                     for (std::size_t k = 21; k > 0; --k)
                         list.push_back({{"id", k}, {"x", all[k - 1][0]}, {"y", all[k - 1][1]}, {"z", all[k - 1][2]}});
                     return ordered_json{{"hand", "right"}, {"landmarks", list}};
                 })
                     .dump());
    expect_right(frames_of([](int i) {  // with a visibility
                     ordered_json list = landmarks(i, Side::right);
                     for (auto& point : list) point.push_back(0.9);
                     return ordered_json{{"hand", "right"}, {"landmarks", list}};
                 })
                     .dump());
    expect_right(frames_of([](int i) {
                     ordered_json points, all = landmarks(i, Side::right);
                     for (std::size_t k = 0; k < 21; ++k) points[std::to_string(k)] = all[k];
                     return ordered_json{{"hand", "right"}, {"landmarks", points}};
                 }).dump());
    for (const char* start : {"Hand_WristRoot", "Hand_Start"})
        for (const char* key : {"boneName", "jointID"})
            expect_right(ordered_json{
                {"handsData", frames_of([&](int i) {
                     ordered_json list = ordered_json::array(), all = joints(i, Side::right);
                     list.push_back({{key, "Hand_ForearmStub"}, {"position", all[1]}});
                     for (const char* finger : {"Pinky", "Thumb", "Index", "Middle", "Ring"})
                         for (int bone = 3; bone > 0; --bone) {
                             const std::string name = finger;
                             const std::size_t first = name == "Thumb"    ? 1
                                                       : name == "Index"  ? 6
                                                       : name == "Middle" ? 11
                                                       : name == "Ring"   ? 16
                                                                          : 21;
                             list.push_back({{key, "Hand_" + name + std::to_string(bone)},
                                             {"position", all[first + static_cast<std::size_t>(bone)]},
                                             {"localPosition", {0.01, 0.02, 0.03}}});
                         }
                     list.push_back({{key, start}, {"position", all[1]}});
                     return ordered_json{{"time", 0.1 * i}, {"rightHandBones", list}};
                 })}}.dump());
}

TEST(HandJson, AnglesVelocitiesAndBodiesAreNoHands) {
    ordered_json others = ordered_json::array();
    for (int j = 0; j < 26; ++j) others.push_back({0.02 * j, 0.03 * (j % 3), 0.05 * (j % 5)});
    ordered_json body = others;
    body.erase(25);
    for (const char* key : {"eulerAngles", "jointRotations", "angularVelocities", "localPositions", "accelerations"})
        expect_right(frames_of([&](int i) {
                         return ordered_json{{"hand", "right"}, {key, others}, {"positions", joints(i, Side::right)}};
                     }).dump());
    expect_both(frames_of([&](int i) {
                    return ordered_json{{"body", body},
                                        {"left_hand", landmarks(i, Side::left, true)},
                                        {"right_hand", landmarks(i, Side::right, true)}};
                }).dump());
    EXPECT_THAT(refusal(frames_of([&](int) {
                            return ordered_json{{"hand", "right"}, {"rotations", others}};
                        }).dump()),
                HasSubstr("no frame of the JSON has a hand"));
}

// A body's 25 joints, as Kinect has them.
constexpr std::array<std::array<float, 3>, 25> kBody = {
    {{0, 0, 2},          {0, .3F, 2},         {0, .5F, 2},         {0, .65F, 2},       {-.18F, .45F, 2},
     {-.3F, .2F, 2},     {-.32F, 0, 1.9F},    {-.33F, -.1F, 1.9F}, {.18F, .45F, 2},    {.3F, .2F, 2},
     {.32F, 0, 1.9F},    {.33F, -.1F, 1.9F},  {-.1F, 0, 2},        {-.11F, -.4F, 2},   {-.1F, -.8F, 2},
     {-.1F, -.8F, 1.9F}, {.1F, 0, 2},         {.11F, -.4F, 2},     {.1F, -.8F, 2},     {.1F, -.8F, 1.9F},
     {0, .45F, 2},       {-.34F, -.2F, 1.9F}, {-.3F, -.1F, 1.8F},  {.34F, -.2F, 1.9F}, {.3F, -.1F, 1.8F}}};

TEST(Refused, PointsThatAreNoHand) {
    ordered_json body = ordered_json::array();
    std::vector<float> values;
    for (int i = 0; i < 4; ++i)
        for (const auto& p : kBody) values.insert(values.end(), p.begin(), p.end());
    for (const auto& p : kBody) body.push_back(p);
    EXPECT_THAT(refusal(frames_of([&](int) {
                            return ordered_json{{"handState", 1}, {"joints", body}};
                        }).dump()),
                HasSubstr("the 25 points are not those of a hand"));
    EXPECT_THAT(refusal(npy_array("4, 25, 3", values), "take.npy"), HasSubstr("the 25 points are not those of a hand"));

    std::vector<float> pixels, shares;
    for (int i = 0; i < 20; ++i)
        for (std::size_t k = 0; k < 21; ++k) {
            const auto p = landmark(closing_hand(i, Side::right), k);
            const float confidence = 0.5F + 0.45F * std::sin(static_cast<float>(13 * i) + 7.0F * static_cast<float>(k));
            pixels.insert(pixels.end(), {640.0F + 1500.0F * p[0], 360.0F + 1500.0F * p[1], confidence});
            shares.insert(shares.end(), {0.5F + p[0], 0.5F + p[1], confidence});
        }
    EXPECT_THAT(refusal(npy_array("20, 21, 3", pixels)), HasSubstr("are pixels"));
    EXPECT_THAT(refusal(npy_array("20, 21, 3", shares)), HasSubstr("perhaps a confidence"));
}

// The pose of a wrist that stays at the origin at first, so that its matrix does not show whether it is by rows.
Eigen::Isometry3f turned_wrist(int i) {
    return Eigen::Translation3f(i < 20 ? 0.0F : 0.1F, i < 20 ? 0.0F : 1.2F, 0.0F) *
           Eigen::AngleAxisf(0.7F, Eigen::Vector3f(0.36F, 0.48F, 0.8F));
}

std::vector<float> matrix_values(const Eigen::Isometry3f& pose, bool by_rows) {
    const Eigen::Matrix4f m = by_rows ? Eigen::Matrix4f(pose.matrix().transpose()) : pose.matrix();
    return {m.data(), m.data() + 16};
}

void expect_turned(const Recording& recording) {
    ASSERT_EQ(recording.samples.size(), static_cast<std::size_t>(kFrames));
    for (const int i : {0, 19, 39}) {
        HandFrame truth = closing_hand(i, Side::right);
        for (tracking::JointPose& joint : truth.joints) joint.position_m = turned_wrist(i) * joint.position_m;
        EXPECT_LT(largest_apart_m(recording.samples[static_cast<std::size_t>(i)][Side::right], truth), 1e-5F) << i;
    }
}

TEST(Matrices, WithoutTranslationHaveTheOrderOfTheOthers) {
    for (const bool by_rows : {true, false})
        for (const bool points : {true, false}) {
            SCOPED_TRACE(std::string(by_rows ? "rows" : "columns") + (points ? " points" : " matrices"));
            const std::string text = lines_of([&](int i) {
                ordered_json fingers = ordered_json::array();
                for (std::size_t j = 1; j < tracking::kJointCount; ++j) {
                    const Eigen::Vector3f p = closing_hand(i, Side::right).joints[j].position_m;
                    if (points)
                        fingers.push_back({p.x(), p.y(), p.z()});
                    else
                        fingers.push_back(matrix_values(Eigen::Isometry3f(Eigen::Translation3f(p)), by_rows));
                }
                return ordered_json{{"right_wrist", matrix_values(turned_wrist(i), by_rows)},
                                    {"right_fingers", fingers}};
            });
            expect_turned(load(TemporaryFile(text).path()));
        }
}

// Returns a ZIP of stored members.
std::string stored_zip(const std::vector<std::pair<std::string, std::string>>& members) {
    std::string zip, list;
    const auto word = [](std::uint64_t value, int count) {
        std::string bytes;
        for (int i = 0; i < count; ++i) bytes += static_cast<char>(value >> (8 * i));
        return bytes;
    };
    for (const auto& [name, content] : members) {
        const std::string common = word(20, 2) + word(0, 4) + word(0, 4) + word(0, 4) + word(content.size(), 4) +
                                   word(content.size(), 4) + word(name.size(), 2) + word(0, 2);
        list +=
            std::string("PK\x01\x02", 4) + word(20, 2) + common + std::string(10, '\0') + word(zip.size(), 4) + name;
        zip += std::string("PK\x03\x04", 4) + common + name + content;
    }
    return zip + list + std::string("PK\5\6\0\0\0\0", 8) + word(members.size(), 2) + word(members.size(), 2) +
           word(list.size(), 4) + word(zip.size(), 4) + word(0, 2);
}

TEST(Matrices, InArraysHaveOneOrder) {
    for (const bool by_rows : {true, false}) {
        std::vector<float> wrist, fingers, rotations;
        for (int i = 0; i < kFrames; ++i) {
            for (const float v : matrix_values(turned_wrist(i), by_rows)) wrist.push_back(v);
            for (std::size_t j = 1; j < tracking::kJointCount; ++j) {
                const Eigen::Isometry3f pose(Eigen::Translation3f(closing_hand(i, Side::right).joints[j].position_m));
                for (const float v : matrix_values(pose, by_rows)) fingers.push_back(v);
                for (int k = 0; k < 3; ++k) rotations.push_back(0.1F * static_cast<float>(k));
            }
        }
        const std::string zip = stored_zip({{"joint_rotations_right.npy", npy_array("40, 25, 3", rotations)},
                                            {"right_fingers.npy", npy_array("40, 25, 4, 4", fingers)},
                                            {"right_wrist.npy", npy_array("40, 1, 4, 4", wrist)}});
        expect_turned(load(TemporaryFile(zip, "take.npz").path()));
    }
}

TEST(HandJson, MissingValuesOfPythonAreLostJoints) {
    std::string text = lines_of([](int i) {
        return ordered_json{
            {"time", 0.02 * i}, {"note", "NaN \"NaN\""}, {"right", {{"joints", joints(i, Side::right)}}}};
    });
    const std::size_t first = text.find("[[", text.find("\n")) + 2;
    text.replace(first, text.find(',', first) - first, "NaN");
    const Recording recording = load(TemporaryFile(text).path());
    expect_hands(recording, false);
    EXPECT_EQ(recording.samples[1][Side::right][Joint::palm].flags & tracking::joint_flags::kPositionTracked, 0);
    EXPECT_NE(recording.samples[1][Side::right][Joint::wrist].flags & tracking::joint_flags::kPositionTracked, 0);
}

TEST(HandJson, ACommaMayFollowTheLastValue) {
    const std::string lines = lines_of([](int i) {
        return ordered_json{{"time", 0.02 * i}, {"note", "a, ]"}, {"right", {{"joints", joints(i, Side::right)}}}};
    });
    std::string list = "[";
    for (const char c : lines)
        list += c == '\n' ? std::string(" ,\n") : c == '}' ? std::string(",}") : std::string(1, c);
    const Recording recording = load(TemporaryFile(list + "]").path());
    expect_hands(recording, false);
    EXPECT_EQ(load(TemporaryFile("{\"frames\": " + list + "],}").path()).samples.size(), recording.samples.size());
    EXPECT_THAT(refusal("[1,,2]"), HasSubstr("not a recording"));
}

TEST(HandJson, TheLastOfTwentySixPointsMayBeTheForearm) {
    const std::string text = lines_of([](int i) {
        ordered_json list = joints(i, Side::right, false, 1);
        const Eigen::Vector3f wrist = closing_hand(i, Side::right)[Joint::wrist].position_m;
        list.push_back({wrist.x(), wrist.y(), wrist.z() + 0.2F});
        return ordered_json{{"timestamp", 0.01 * i}, {"rightHand", {{"joints", list}, {"trackedMask", 67108863}}}};
    });
    const Recording recording = load(TemporaryFile(text).path());
    expect_hands(recording, false);
    EXPECT_THAT(recording.notes, Contains(HasSubstr("wrist, thumb to little finger, forearm")));
}

TEST(HandJson, ReadsTheBonesOfLeapsApi) {
    for (const bool words : {false, true}) {
        const auto hand_of_leap = [words](int i, Side side) {
            const HandFrame hand = hand_apart(i, side);
            const auto place = [&hand, words](std::size_t joint) {
                const Eigen::Vector3f p = 1000.0F * hand.joints[joint].position_m;
                return words ? ordered_json{{"x", p.x()}, {"y", p.y()}, {"z", p.z()}}
                             : ordered_json{p.x(), p.y(), p.z()};
            };
            constexpr std::array kFingers = {"TYPE_THUMB", "TYPE_INDEX", "TYPE_MIDDLE", "TYPE_RING", "TYPE_PINKY"};
            ordered_json fingers = ordered_json::array();
            for (const std::size_t f : {3U, 0U, 4U, 1U, 2U}) {
                ordered_json bones = ordered_json::array();
                for (std::size_t b = 0; b < 4; ++b) {
                    const std::size_t start = f == 0 ? (b == 0 ? 2 : 1 + b) : 1 + 5 * f + b;
                    bones.push_back({{words ? "PrevJoint" : "prev_joint", place(start)},
                                     {words ? "NextJoint" : "next_joint", place(f == 0 && b == 0 ? 2 : start + 1)}});
                }
                ordered_json finger = {{"bones", bones}, {"tip_position", place(5 + 5 * f)}};
                if (words) finger["Type"] = kFingers[f];
                if (!words) finger["type"] = f;
                fingers.push_back(finger);
            }
            return ordered_json{{"type", name_of(side)}, {"wrist_position", place(1)}, {"fingers", fingers}};
        };
        const std::string text = lines_of([&](int i) {
            return ordered_json{{"timestamp", 10'000 * i},
                                {"hands", {hand_of_leap(i, Side::right), hand_of_leap(i, Side::left)}}};
        });
        expect_both(text);
    }
}

TEST(Refused, FingertipsAloneAreNoHand) {
    EXPECT_THAT(refusal(R"({"frames":[{"timestamp":1,"interactionBox":{},"hands":[{"id":7,"type":"right",)"
                        R"("palmPosition":[0,1,2]}],"pointables":[{"handId":7,"tipPosition":[1,2,3]}]}]})"),
                HasSubstr("fingertips and palms only"));
    std::string tips = "time", row = "0";
    for (const char* name : {"palm", "thumb_tip", "index_tip", "middle_tip", "ring_tip", "pinky_tip"})
        for (const char axis : {'x', 'y', 'z'}) {
            tips += std::string(",right_") + name + "_" + axis;
            row += ",0.1";
        }
    EXPECT_THAT(refusal(tips + "\n" + row + "\n"), HasSubstr("how the fingers bend is not known"));
}

TEST(Arrays, ReadWhatProgramsMakeOfHolistic) {
    std::vector<float> numbers, numbers_of_hands, two, points, first_hand;
    for (int i = 0; i < kFrames; ++i) {
        const auto add = [i](Side side, std::vector<float>& values) {
            for (const auto& v : flat(i, side, true)) values.push_back(v.get<float>());
        };
        const auto fill = [](std::size_t count, std::vector<float>& values) {
            values.resize(values.size() + count, 0.1F);
        };
        fill(132 + 1404, numbers);
        fill(132, numbers_of_hands);
        fill(1404, points);
        for (std::vector<float>* values : {&numbers, &numbers_of_hands, &two, &points}) add(Side::left, *values);
        fill(99, points);
        for (std::vector<float>* values : {&numbers, &numbers_of_hands, &two, &points}) add(Side::right, *values);
    }
    for (const Side side : {Side::left, Side::right})
        for (int i = 0; i < kFrames; ++i)
            for (const auto& v : flat(i, side, true)) first_hand.push_back(v.get<float>());
    expect_both(npy_array("40, 1662", numbers));
    expect_both(npy_array("40, 258", numbers_of_hands));
    expect_both(npy_array("40, 42, 3", two));
    expect_both(npy_array("40, 543, 3", points));
    expect_both(npy_array("2, 40, 21, 3", first_hand));
}

// Returns the joints of all frames of a hand; `z` reverses an axis.
std::vector<float> joint_values(Side side, float z = 1.0F) {
    std::vector<float> values;
    for (int i = 0; i < kFrames; ++i)
        for (const tracking::JointPose& joint : hand_apart(i, side).joints)
            values.insert(values.end(), {joint.position_m.x(), joint.position_m.y(), z * joint.position_m.z()});
    return values;
}

TEST(Sides, OfArraysInLeftHandedAxesReverseZ) {
    const std::string zip = stored_zip({{"left.npy", npy_array("40, 26, 3", joint_values(Side::left, -1.0F))},
                                        {"right.npy", npy_array("40, 26, 3", joint_values(Side::right, -1.0F))}});
    const Recording recording = load(TemporaryFile(zip).path());
    expect_hands(recording, true);
    EXPECT_THAT(recording.notes, Contains(HasSubstr("Z was reversed")));
    std::vector<std::pair<std::string, std::string>> tracks;
    for (std::size_t j = 0; j < tracking::kJointCount; ++j)
        for (const Side side : {Side::left, Side::right}) {
            const std::vector<float> all = joint_values(side, -1.0F);
            std::vector<float> values;
            for (std::size_t f = 0; f < kFrames; ++f)
                for (std::size_t a = 0; a < 3; ++a) values.push_back(all[3 * (tracking::kJointCount * f + j) + a]);
            tracks.emplace_back(std::string(name_of(side)) + "_" + std::string(name_of(static_cast<Joint>(j))) + ".npy",
                                npy_array("40, 3", values));
        }
    expect_hands(load(TemporaryFile(stored_zip(tracks)).path()), true);
}

TEST(Sides, OfTwoHandsInOneArrayAreThoseOfTheirShape) {
    const auto both = [](Side first, float z) {
        const Side second = first == Side::left ? Side::right : Side::left;
        std::vector<float> values = joint_values(first, z), rest = joint_values(second, z);
        values.insert(values.end(), rest.begin(), rest.end());
        return npy_array("2, 40, 26, 3", values);
    };
    expect_hands(load(TemporaryFile(both(Side::left, 1.0F)).path()), true);
    const Recording swapped = load(TemporaryFile(both(Side::right, 1.0F)).path());
    expect_hands(swapped, true);
    EXPECT_THAT(swapped.doubts, Contains(HasSubstr("WRONG SIDE: By the hands' shape, the first of the two hands")));
    ImportOptions unity;
    unity.axes = *tracking::find_axes("unity");
    const Recording mirrored = load(TemporaryFile(both(Side::left, -1.0F)).path(), unity);
    expect_hands(mirrored, true);
    EXPECT_TRUE(mirrored.doubts.empty());
}

TEST(Sides, OfLandmarksThatTheirShapeContradictsAreOfAMirroredPicture) {
    const Recording recording =
        load(TemporaryFile(frames_of([](int i) {
                               return ordered_json{{"left_hand", landmarks(i, Side::right, true)},
                                                   {"right_hand", landmarks(i, Side::left, true)}};
                           }).dump())
                 .path());
    expect_hands(recording, true);
    EXPECT_THAT(recording.notes, Contains(HasSubstr("The picture is mirrored")));
}

TEST(Sides, OfAFormatWithKnownAxesThatItsShapeContradictsAreDoubted) {
    std::string text = bvh({});
    EXPECT_TRUE(load(TemporaryFile(text).path()).doubts.empty());
    for (std::size_t at = text.find("Right"); at != text.npos; at = text.find("Right")) text.replace(at, 5, "Left");
    EXPECT_THAT(load(TemporaryFile(text).path()).doubts, Contains(HasSubstr("WRONG SIDE: By their shape")));
}

TEST(Arrays, HandsOfUnequalLengthBeginTogether) {
    std::vector<float> left, right;
    for (int i = 0; i < kFrames; ++i) {
        for (const auto& v : flat(i, Side::left, true)) left.push_back(v.get<float>());
        for (const auto& v : flat(i, Side::right, true)) right.push_back(v.get<float>());
    }
    right.resize(30 * 63);
    const auto expect_shorter = [](const Recording& recording) {
        ASSERT_EQ(recording.samples.size(), 40U);
        EXPECT_LT(largest_apart_m(recording.samples[39][Side::left], hand_apart(39, Side::left)), 1e-4F);
        EXPECT_LT(largest_apart_m(recording.samples[29][Side::right], hand_apart(29, Side::right)), 1e-4F);
        EXPECT_FALSE(recording.samples[30][Side::right].active);
        EXPECT_THAT(recording.notes, Contains(HasSubstr("One hand has 30 frames and the other 40")));
    };
    const std::string zip =
        stored_zip({{"left.npy", npy_array("40, 21, 3", left)}, {"right.npy", npy_array("30, 21, 3", right)}});
    expect_shorter(load(TemporaryFile(zip).path()));
    std::vector<std::pair<std::string, std::string>> tracks;
    for (const Side side : {Side::left, Side::right})
        for (std::size_t k = 0; k < 21; ++k) {
            std::vector<float> values;
            for (int i = 0; i < (side == Side::left ? 40 : 30); ++i) {
                const Eigen::Vector3f p =
                    hand_apart(i, side).joints[static_cast<std::size_t>(kLandmarkJoints[k])].position_m;
                values.insert(values.end(), {p.x(), p.y(), p.z()});
            }
            tracks.emplace_back(std::string(name_of(side)) + "_" + kLandmarkNames[k] + ".npy",
                                npy_array(side == Side::left ? "40, 3" : "30, 3", values));
        }
    expect_shorter(load(TemporaryFile(stored_zip(tracks)).path()));
}

TEST(Arrays, ASecondHandThatIsNotReadIsNamed) {
    std::vector<float> values;
    for (int i = 0; i < kFrames; ++i)
        for (const auto& v : flat(i, Side::left, true)) values.push_back(v.get<float>());
    const std::string left = npy_array("40, 21, 3", values);
    const std::string zip = stored_zip({{"first.npy", left}, {"second.npy", left}});
    EXPECT_THAT(load(TemporaryFile(zip).path()).notes, Contains(HasSubstr("The array 'second' was not read")));
    const std::string pair = stored_zip({{"left.npy", left}, {"right.npy", left}});
    for (const std::string& note : load(TemporaryFile(pair).path()).notes)
        EXPECT_EQ(note.find("was not read"), note.npos) << note;
}

TEST(Arrays, HandsMayBeBesideABody) {
    std::vector<std::pair<std::string, std::string>> files = {
        {"body.npy", npy_array("40, 25, 3", std::vector<float>(std::size_t{40} * 75, 0.5F))}};
    for (const Side side : {Side::left, Side::right}) {
        std::vector<float> values;
        for (int i = 0; i < kFrames; ++i)
            for (const auto& v : flat(i, side, true)) values.push_back(v.get<float>());
        files.emplace_back(std::string(name_of(side)) + "_hand.npy", npy_array("40, 21, 3", values));
    }
    expect_hands(load(TemporaryFile(stored_zip(files)).path()), true);
}

// Writes the numbers of both hands with the dimensions frame (f), hand (h), point (p) and axis (a) in this order.
std::string array_of_both(const std::string& order, std::size_t points) {
    const auto size = [points](char dimension) -> std::size_t {
        return dimension == 'f' ? kFrames : dimension == 'h' ? 2 : dimension == 'p' ? points : 3;
    };
    std::string shape;
    std::size_t count = 1;
    for (const char dimension : order) {
        shape += std::to_string(size(dimension)) + ", ";
        count *= size(dimension);
    }
    std::vector<float> values;
    for (std::size_t n = 0; n < count; ++n) {
        std::map<char, std::size_t> at;
        std::size_t rest = n;
        for (std::size_t d = order.size(); d-- > 0; rest /= size(order[d])) at[order[d]] = rest % size(order[d]);
        const HandFrame hand = hand_apart(static_cast<int>(at['f']), at['h'] == 0 ? Side::left : Side::right);
        values.push_back(points == 21
                             ? landmark(hand, at['p'])[at['a']]
                             : hand.joints[at['p'] + 26 - points].position_m[static_cast<Eigen::Index>(at['a'])]);
    }
    shape.resize(shape.size() - 2);
    return npy_array(shape, values);
}

TEST(Arrays, MayHaveTheirDimensionsInAnyOrder) {
    for (const std::size_t points : {21U, 25U, 26U})
        for (const char* order : {"fhpa", "hfpa", "fhap", "hfap", "afph", "pafh"}) {
            SCOPED_TRACE(order + std::to_string(points));
            expect_hands(load(TemporaryFile(array_of_both(order, points)).path()), true);
        }
}

TEST(Arrays, MayHaveTheNumbersOfAllJointsInARow) {
    for (const std::size_t first : {0U, 1U})
        for (const bool both : {true, false}) {
            std::vector<float> values;
            for (int i = 0; i < kFrames; ++i)
                for (const Side side : {Side::left, Side::right})
                    for (std::size_t j = first; j < tracking::kJointCount && (both || side == Side::right); ++j)
                        for (const float v : position_m(hand_of(i, side, both), j)) values.push_back(v);
            const TemporaryFile file(npy_array("40, " + std::to_string(values.size() / kFrames), values), "right.npy");
            expect_hands(load(file.path()), both);
        }
}

TEST(Arrays, ReadAFourthNumberAndNumbersOfSixteenBits) {
    std::vector<float> visible;
    std::string half = npy_array("40, 21, 3", std::vector<float>(2520));
    half.replace(half.find("<f8"), 3, "<f2");
    half.resize(half.size() - 2520 * 8);
    for (int i = 0; i < kFrames; ++i)
        for (std::size_t k = 0; k < 21; ++k) {
            for (const float v : landmark(closing_hand(i, Side::right), k)) {
                visible.push_back(v);
                int exponent = 0;
                const float share = std::frexp(std::abs(v), &exponent);  // 0.5 to 1
                const int bits = v == 0.0F || exponent < -13
                                     ? 0
                                     : ((exponent + 14) << 10) + static_cast<int>(std::lround(2048.0F * share)) - 1024;
                half += static_cast<char>(bits & 0xFF);
                half += static_cast<char>((bits >> 8) | (v < 0.0F ? 0x80 : 0));
            }
            visible.push_back(0.9F);
        }
    expect_right(npy_array("40, 21, 4", visible), "right.npy");
    expect_right(half, "right.npy");
}

TEST(Landmarks, MayBeNumberedFromOne) {
    std::string wide = "frame", rows;
    for (const Side side : {Side::right, Side::left})
        for (int k = 1; k <= 21; ++k)
            for (const char axis : {'x', 'y', 'z'})
                wide += "," + std::string(name_of(side)) + "_hand_landmarks_" + std::to_string(k) + "_" + axis;
    for (int i = 0; i < kFrames; ++i) {
        wide += "\n" + std::to_string(i);
        for (const Side side : {Side::right, Side::left})
            for (const auto& v : flat(i, side, true)) wide += "," + v.dump();
    }
    expect_both(wide + "\n");
}

// Google's data sets of sign language: rows of face, hands and body, or a column of each coordinate.
TEST(Landmarks, OfHandsMayBeAmongThoseOfFaceAndBody) {
    std::ostringstream rows, wide;
    rows << "frame,row_id,type,landmark_index,x,y,z\n";
    wide << "frame";
    for (const char axis : {'x', 'y', 'z'}) {
        for (int k = 0; k < 468; ++k) wide << "," << axis << "_face_" << k;
        for (int k = 0; k < 21; ++k) wide << "," << axis << "_left_hand_" << k;
        for (int k = 0; k < 33; ++k) wide << "," << axis << "_pose_" << k;
        for (int k = 0; k < 21; ++k) wide << "," << axis << "_right_hand_" << k;
    }
    for (int i = 0; i < kFrames; ++i) {
        const auto part = [&](const char* type, int count, const Side* side) {
            for (int k = 0; k < count; ++k) {
                rows << 20 + i << "," << 20 + i << "-" << type << "-" << k << "," << type << "," << k;
                for (std::size_t a = 0; a < 3; ++a)
                    rows << ","
                         << (side != nullptr ? landmark(hand_apart(i, *side), static_cast<std::size_t>(k))[a] : 0.5F);
                rows << "\n";
            }
        };
        const Side left = Side::left, right = Side::right;
        part("face", 468, nullptr);
        part("left_hand", 21, &left);
        part("pose", 33, nullptr);
        part("right_hand", 21, &right);
        wide << "\n" << i;
        for (std::size_t a = 0; a < 3; ++a) {
            for (int k = 0; k < 468; ++k) wide << ",0.5";
            for (std::size_t k = 0; k < 21; ++k) wide << "," << landmark(hand_apart(i, left), k)[a];
            for (int k = 0; k < 33; ++k) wide << ",0.5";
            for (std::size_t k = 0; k < 21; ++k) wide << "," << landmark(hand_apart(i, right), k)[a];
        }
    }
    expect_both(rows.str());
    expect_both(wide.str() + "\n");
}

// Returns a table of a right hand, of which some rows have no time. `row` begins a row; `missing` is the cell there.
std::string table_without_times(const std::string& missing, bool all, int kind) {
    std::ostringstream text;
    text << (kind == 2 ? "time,hand,joint,x,y,z" : "time");
    if (kind == 0)
        for (const std::string& name : landmark_columns()) text << "," << name;
    for (std::size_t j = 0; j < tracking::kJointCount && kind == 1; ++j)
        for (const char axis : {'x', 'y', 'z'}) text << ",right_" << name_of(static_cast<Joint>(j)) << "_" << axis;
    for (int i = 0; i < kFrames; ++i) {
        const std::string time = all || i % 8 == 3 ? missing : std::to_string(0.02 * i);
        if (kind < 2) text << "\n" << time;
        if (kind == 0)
            for (const auto& v : flat(i, Side::right)) text << "," << v;
        for (std::size_t j = 0; j < tracking::kJointCount && kind > 0; ++j) {
            const Eigen::Vector3f p = closing_hand(i, Side::right).joints[j].position_m;
            if (kind == 2) text << "\n" << time << ",Right," << name_of(static_cast<Joint>(j));
            text << "," << p.x() << "," << p.y() << "," << p.z();
        }
    }
    return text.str() + "\n";
}

TEST(Tables, ARowWithoutTimeIsLeftOut) {
    for (const int kind : {0, 1, 2})
        for (const char* missing : {"", "NaN", "NULL"}) {
            SCOPED_TRACE(std::to_string(kind) + missing);
            const TemporaryFile some(table_without_times(missing, false, kind), "right.csv");
            const Recording recording = load(some.path());
            ASSERT_EQ(recording.samples.size(), 35U);
            EXPECT_EQ(recording.samples.back().time_ns, 780'000'000);
            EXPECT_LT(largest_apart_m(recording.samples.back()[Side::right], closing_hand(39, Side::right)), 1e-5F);
            EXPECT_THAT(recording.doubts,
                        Contains(HasSubstr(kind == 2 ? "130 rows have no time" : "5 rows have no time")));
            const TemporaryFile none(table_without_times(missing, true, kind), "right.csv");
            const Recording without = load(none.path());
            expect_hands(without, false);
            EXPECT_THAT(without.notes, AllOf(Contains(HasSubstr("column of times is empty in the first rows")),
                                             Contains(HasSubstr("30 a second"))));
        }
}

// Returns a table of a right hand with a column for each axis of the joints, which are indices.
std::string table_of(const std::vector<std::pair<std::string, std::size_t>>& names,
                     const std::function<std::string(const std::string&, char)>& column) {
    std::ostringstream text;
    text << "time";
    for (const auto& [name, joint] : names)
        for (const char axis : {'x', 'y', 'z'}) text << "," << column(name, axis);
    for (int i = 0; i < kFrames; ++i) {
        text << "\n" << 0.02 * i;
        for (const auto& [name, joint] : names)
            for (const float v : position_m(closing_hand(i, Side::right), joint)) text << "," << v;
    }
    return text.str() + "\n";
}

// The angles of a glove in frame `i`.
tracking::HandAngles glove_angles(int i) {
    tracking::HandAngles angles = tracking::resting_angles();
    const float bend = 0.02F * static_cast<float>(i);
    angles.thumb = {0.2F + bend, 0.4F, 0.1F + bend, 0.3F};
    for (std::size_t f = 0; f < 4; ++f)
        angles.fingers[f] = {0.3F + bend, 0.05F * (static_cast<float>(f) - 1.5F), 0.5F + bend, 0.2F};
    return angles;
}

void expect_angles(const Recording& recording, Side side, bool spread) {
    ASSERT_EQ(recording.samples.size(), static_cast<std::size_t>(kFrames));
    for (const int i : {0, 39}) {
        tracking::HandAngles angles = glove_angles(i);
        if (!spread) angles.thumb.cmc_abduction = 0.0F;
        for (tracking::FingerAngles& finger : angles.fingers) finger.mcp_spread *= spread ? 1.0F : 0.0F;
        const HandFrame truth =
            tracking::pose_from_angles(tracking::default_profile(), angles, Eigen::Isometry3f::Identity(), side);
        EXPECT_LT(largest_apart_m(recording.samples[static_cast<std::size_t>(i)][side], truth), 1e-5F) << i;
    }
}

TEST(AngleTables, OfManusAreReadWithTheBonesOfAProfile) {
    std::ostringstream text;
    text << "Frame,Elapsed_Time_In_Milliseconds,Time(HH:MM:SS:mmm),Pinch_ThumbToIndex,Thumb_CMC_Spread,Thumb_CMC_Flex,"
            "Thumb_PIP_Flex,Thumb_DIP_Flex";
    for (const char* finger : {"Index", "Middle", "Ring", "Pinky"})
        for (const char* angle : {"_MCP_Spread", "_MCP_Flex", "_PIP_Flex", "_DIP_Flex"}) text << "," << finger << angle;
    text << ",Index_MCP_Flex_AngularVelocity";
    for (int i = 0; i < kFrames; ++i) {
        text << "\n" << i << "," << 10 * i << ",00:00:00:000,0.5";
        const auto add = [&text](std::initializer_list<float> angles) {
            for (const float angle : angles) text << "," << angle / tracking::kDegree_rad;
        };
        const tracking::HandAngles a = glove_angles(i);
        add({a.thumb.cmc_abduction, a.thumb.cmc_flex, a.thumb.mcp_flex, a.thumb.ip_flex});
        for (const tracking::FingerAngles& f : a.fingers) add({f.mcp_spread, f.mcp_flex, f.pip_flex, f.dip_flex});
        text << ",900";
    }
    const TemporaryFile file(text.str() + "\n", "take_L.csv");
    const Recording recording = load(file.path());
    EXPECT_EQ(recording.format, "manus-csv");
    expect_angles(recording, Side::left, true);
    EXPECT_EQ(recording.samples.back().time_ns, 390'000'000);
    EXPECT_THAT(recording.notes, Contains(HasSubstr("default hand's bones")));
}

TEST(AngleTables, OfOtherGlovesAreReadByTheNamesOfFlexions) {
    std::ostringstream text;
    text << "time";
    for (const char* side : {"left", "right"}) {
        text << "," << side << "_thumb_cmc_flexion," << side << "_thumb_mcp_flexion," << side << "_thumb_ip_flexion";
        for (const char* finger : {"index", "middle", "ring", "little"})
            for (const char* joint : {"mcp", "pip", "dip"})
                text << "," << side << "_" << finger << "_" << joint << "_flexion";
        text << "," << side << "_index_mcp_abduction";
    }
    for (int i = 0; i < kFrames; ++i) {
        text << "\n" << 0.01 * i;
        const tracking::HandAngles a = glove_angles(i);
        for (int side = 0; side < 2; ++side) {  // radians, of which flexion is negative
            text << "," << -a.thumb.cmc_flex << "," << -a.thumb.mcp_flex << "," << -a.thumb.ip_flex;
            for (const tracking::FingerAngles& f : a.fingers)
                text << "," << -f.mcp_flex << "," << -f.pip_flex << "," << -f.dip_flex;
            text << ",0.7";
        }
    }
    const Recording recording = load(TemporaryFile(text.str() + "\n").path());
    for (const Side side : {Side::left, Side::right}) expect_angles(recording, side, false);
    EXPECT_THAT(recording.notes, AllOf(Contains(HasSubstr("radians")), Contains(HasSubstr("negative")),
                                       Contains(HasSubstr("Only flexion"))));
}

TEST(JointCsv, FingersMayBeNumberedFromZeroAtTheKnuckle) {
    constexpr std::array kFingers = {"thumb", "index", "middle", "ring", "pinky"};
    for (const int first : {0, 1}) {
        std::vector<std::pair<std::string, std::size_t>> names = {{"wrist", 1}};
        for (std::size_t f = 0; f < 5; ++f)
            for (std::size_t b = 0; b < 4; ++b)
                names.emplace_back(std::string(kFingers[f]) + "_" + std::to_string(b + static_cast<std::size_t>(first)),
                                   (f == 0 ? 2 : 2 + 5 * f) + b);
        const std::string text = table_of(names, [](const std::string& name, char axis) { return name + "_" + axis; });
        const TemporaryFile file(text, "right.csv");
        const Recording recording = load(file.path());
        expect_hands(recording, false);
        EXPECT_EQ(std::ranges::any_of(recording.notes,
                                      [](const std::string& note) { return note.find("from 0 at") != note.npos; }),
                  first == 0);
    }
}

TEST(JointCsv, AnAxisMayBeAChannelOfBvh) {
    std::vector<std::pair<std::string, std::size_t>> names = {{"RightHand", 1}};
    for (std::size_t b = 1; b <= 3; ++b)
        for (const auto& [finger, base] : {std::pair{"Thumb", 1U}, {"Index", 6U}, {"Middle", 11U}, {"Ring", 16U}})
            names.emplace_back("RightHand" + std::string(finger) + std::to_string(b), base + b);
    expect_right(
        table_of(names, [](const std::string& name,
                           char axis) { return name + "_" + static_cast<char>(axis - 'x' + 'X') + "position"; }),
        "take.csv");
}

TEST(JointCsv, JointsWithoutTheWristAreRefusedWithAReason) {
    std::vector<std::pair<std::string, std::size_t>> names;
    for (const auto& [finger, base] : {std::pair{"Thumb", 1U}, {"Index", 6U}, {"Middle", 11U}, {"Ring", 16U}})
        for (std::size_t b = 1; b <= 3; ++b)
            names.emplace_back("L_Hand" + std::string(finger) + std::to_string(b), base + b);
    EXPECT_THAT(
        refusal(table_of(names, [](const std::string& name, char axis) { return name + "_pos" + axis; })),
        AllOf(HasSubstr("12 joints of a hand, without the wrist"), HasSubstr("zeros if the positions are relative")));
}

// The bones of SteamVR: fingers along X, and the root and a wrist that is turned.
std::size_t bone_before(std::size_t bone) {
    if (bone == 1 || bone > 25) return 0;
    return bone == 2 || (bone > 5 && bone % 5 == 1) ? 1 : bone - 1;
}

std::array<Eigen::Isometry3f, 31> steamvr_bones(int i, Side side) {
    const HandFrame hand = closing_hand(i, side);
    std::array<Eigen::Isometry3f, 31> poses;
    poses.fill(Eigen::Isometry3f::Identity());
    // Joint axes of ours have the bone along -Z; SteamVR's have it along -X, or +X on a left hand.
    const float turn = side == Side::left ? 1.5707963F : -1.5707963F;
    for (std::size_t bone = 1; bone < 26; ++bone) {
        poses[bone].translation() = hand.joints[bone].position_m;
        poses[bone].linear() =
            (hand.joints[bone].orientation * Eigen::AngleAxisf(turn, Eigen::Vector3f::UnitY())).toRotationMatrix();
    }
    for (std::size_t bone = 2; bone < 26; ++bone)  // the tip of a finger does not turn
        if (bone == 5 || (bone > 5 && bone % 5 == 0)) poses[bone].linear() = poses[bone - 1].linear();
    return poses;
}

enum class BoneNumbers { model, parent, parent_w_last, quaternion_first, eight };

std::vector<float> steamvr_numbers(int i, Side side, BoneNumbers kind) {
    const auto poses = steamvr_bones(i, side);
    std::vector<float> numbers;
    for (std::size_t bone = 0; bone < poses.size(); ++bone) {
        Eigen::Isometry3f pose = poses[bone];
        if (bone > 0 && kind != BoneNumbers::model) pose = poses[bone_before(bone)].inverse() * pose;
        const Eigen::Quaternionf q(pose.linear());
        const Eigen::Vector3f p = pose.translation();
        if (kind == BoneNumbers::quaternion_first) numbers.insert(numbers.end(), {q.w(), q.x(), q.y(), q.z()});
        numbers.insert(numbers.end(), {p.x(), p.y(), p.z()});
        if (kind == BoneNumbers::eight) numbers.push_back(1.0F);
        if (kind == BoneNumbers::parent_w_last)
            numbers.insert(numbers.end(), {q.x(), q.y(), q.z(), q.w()});
        else if (kind != BoneNumbers::quaternion_first)
            numbers.insert(numbers.end(), {q.w(), q.x(), q.y(), q.z()});
    }
    return numbers;
}

TEST(SteamVr, BonesAreReadInModelAndParentSpace) {
    for (const BoneNumbers kind : {BoneNumbers::model, BoneNumbers::parent, BoneNumbers::parent_w_last,
                                   BoneNumbers::quaternion_first, BoneNumbers::eight})
        for (const Side side : {Side::left, Side::right}) {
            SCOPED_TRACE(std::to_string(static_cast<int>(kind)) + std::string(name_of(side)));
            std::vector<float> values;
            for (int i = 0; i < kFrames; ++i)
                for (const float v : steamvr_numbers(i, side, kind)) values.push_back(v);
            const std::string of_bone = kind == BoneNumbers::eight ? "8" : "7";
            for (const std::string& shape : {"40, 31, " + of_bone, "40, " + std::to_string(31 * std::stoi(of_bone))}) {
                const Recording recording = load(TemporaryFile(npy_array(shape, values)).path());
                ASSERT_EQ(recording.samples.size(), 40U);
                for (const int i : {0, 20, 39})
                    EXPECT_LT(
                        largest_apart_m(recording.samples[static_cast<std::size_t>(i)][side], closing_hand(i, side)),
                        1e-5F)
                        << i;
                EXPECT_THAT(recording.notes,
                            Contains(HasSubstr(kind == BoneNumbers::model           ? "in model space"
                                               : kind == BoneNumbers::parent_w_last ? "w as the last number"
                                                                                    : "w as the first number")));
            }
        }
}

TEST(SteamVr, PositionsRelativeToTheBoneBeforeAreRefusedWithoutRotations) {
    std::vector<float> bones;
    std::array<std::vector<float>, 31> tracks;
    for (int i = 0; i < kFrames; ++i) {
        const std::vector<float> numbers = steamvr_numbers(i, Side::right, BoneNumbers::parent);
        for (std::size_t bone = 0; bone < 31; ++bone)
            for (std::size_t axis = 0; axis < 3; ++axis) {
                bones.push_back(numbers[7 * bone + axis]);
                tracks[bone].push_back(bones.back());
            }
    }
    EXPECT_THAT(refusal(npy_array("40, 31, 3", bones)), HasSubstr("relative to the bone before"));
    std::vector<std::pair<std::string, std::string>> members;
    for (std::size_t j = 1; j < tracking::kJointCount; ++j)
        members.emplace_back("right_" + std::string(name_of(static_cast<Joint>(j))) + ".npy",
                             npy_array("40, 3", tracks[j]));
    EXPECT_THAT(refusal(stored_zip(members)), HasSubstr("relative to the joint before"));
}

TEST(Arrays, OfOneJointEachMayHaveAsManyFramesAsAHandHasPoints) {
    for (const int frames : {21, 26, 31}) {
        std::vector<std::pair<std::string, std::string>> members;
        for (std::size_t j = 1; j < tracking::kJointCount; ++j) {
            std::vector<float> values;
            for (int i = 0; i < frames; ++i)
                for (const float v : position_m(closing_hand(i, Side::right), j)) values.push_back(v);
            members.emplace_back("right_" + std::string(name_of(static_cast<Joint>(j))) + ".npy",
                                 npy_array(std::to_string(frames) + ", 3", values));
        }
        expect_hands(load(TemporaryFile(stored_zip(members)).path()), false, frames);
    }
}

TEST(SteamVr, BonesAreReadFromJsonAndTables) {
    const auto expect_bones = [](const std::string& text) {
        const TemporaryFile file(text, "right.json");
        const Recording recording = load(file.path());
        ASSERT_EQ(recording.samples.size(), 40U);
        for (const int i : {0, 39})
            EXPECT_LT(largest_apart_m(recording.samples[static_cast<std::size_t>(i)][Side::right],
                                      closing_hand(i, Side::right)),
                      1e-5F)
                << i;
    };
    for (const BoneNumbers kind : {BoneNumbers::model, BoneNumbers::parent}) {
        const auto numbers = [kind](int i) { return steamvr_numbers(i, Side::right, kind); };
        expect_bones(frames_of([&](int i) { return ordered_json{{"hand", "right"}, {"bones", numbers(i)}}; }).dump());
        for (const bool objects : {false, true})
            expect_bones(frames_of([&](int i) {
                             const std::vector<float> n = numbers(i);
                             ordered_json bones = ordered_json::array();
                             for (std::size_t at = 0; at < n.size(); at += 7) {
                                 const ordered_json place = {{"x", n[at]}, {"y", n[at + 1]}, {"z", n[at + 2]}};
                                 const ordered_json turn = {
                                     {"x", n[at + 4]}, {"y", n[at + 5]}, {"z", n[at + 6]}, {"w", n[at + 3]}};
                                 bones.push_back(
                                     objects ? ordered_json{{"position", place}, {"rotation", turn}}
                                             : ordered_json(std::vector<float>(n.begin() + static_cast<long>(at),
                                                                               n.begin() + static_cast<long>(at) + 7)));
                             }
                             return ordered_json{{"hand", "right"}, {"bones", bones}};
                         }).dump());
        std::ostringstream wide, bare, rows;
        wide << std::setprecision(9) << "time";
        bare << std::setprecision(9);
        rows << std::setprecision(9) << "time,hand,bone,px,py,pz,qw,qx,qy,qz";
        for (int bone = 0; bone < 31; ++bone)
            for (const char* field : {"px", "py", "pz", "qw", "qx", "qy", "qz"})
                wide << ",right_bone_" << bone << "_" << field;
        for (int i = 0; i < kFrames; ++i) {
            wide << "\n" << 0.02 * i;
            const std::vector<float> n = numbers(i);
            for (std::size_t at = 0; at < n.size(); ++at) {
                wide << "," << n[at];
                bare << (at == 0 ? "" : " ") << n[at];
                if (at % 7 == 0) rows << "\n" << 0.02 * i << ",right," << at / 7;
                rows << "," << n[at];
            }
            bare << "\n";
        }
        expect_bones(wide.str() + "\n");
        expect_bones(bare.str());
        if (kind == BoneNumbers::model)
            expect_bones(rows.str() + "\n");
        else
            EXPECT_THAT(refusal(rows.str() + "\n"), HasSubstr("relative to the joint before"));
    }
}

TEST(PointsCsv, NumberedJointsAreNoLandmarks) {
    for (const std::size_t first : {0U, 1U}) {
        const TemporaryFile file(numbered_csv(kFrames, first), "right.csv");
        const Recording recording = load(file.path());
        EXPECT_EQ(recording.format, "points-csv");
        expect_hands(recording, false);
        EXPECT_EQ(recording.samples.back().time_ns, 780'000'000);
    }
    std::ostringstream both;
    both << "frame";
    for (const char* hand : {"left", "right"})
        for (int j = 1; j <= 26; ++j)
            for (const char axis : {'X', 'Y', 'Z'}) both << "," << hand << "Joint" << j << "." << axis;
    for (int i = 0; i < kFrames; ++i) {
        both << "\n" << i;
        for (const Side side : {Side::left, Side::right})
            for (const auto& p : joints(i, side, true))
                for (const auto& v : p) both << "," << v;
    }
    expect_both(both.str() + "\n");
}

TEST(PointsCsv, MessagesOfRosAreReadByTheNumbersInTheirFields) {
    std::ostringstream poses, rows;
    poses << "%time,field.header.seq,field.header.stamp,field.header.frame_id";
    for (int j = 0; j < 26; ++j)
        for (const char* field : {"position.x", "position.y", "position.z", "orientation.x", "orientation.y",
                                  "orientation.z", "orientation.w"})
            poses << ",field.poses" << j << "." << field;
    for (int i = 0; i < kFrames; ++i) {
        const std::int64_t time_ns = 1'700'000'000'000'000'000 + 20'000'000LL * i;
        poses << "\n" << time_ns << "," << i << "," << time_ns << ",base";
        rows << time_ns / 1'000'000'000 << "," << time_ns % 1'000'000'000 << ",base";
        for (const auto& p : joints(i, Side::right))
            for (std::ostringstream* text : {&poses, &rows})
                *text << "," << p[0] << "," << p[1] << "," << p[2] << ",0,0,0,1";
        rows << "\n";
    }
    for (const std::string& text : {poses.str() + "\n", rows.str()}) {
        const TemporaryFile file(text, "right.csv");
        const Recording recording = load(file.path());
        expect_hands(recording, false);
        EXPECT_NEAR(static_cast<double>(recording.samples.back().time_ns), 780e6, 1e3);
    }
}

TEST(PointsCsv, NumbersWithoutNamesAreThoseOfArrays) {
    const auto table = [](const std::string& names, const std::function<std::string(int)>& before,
                          const std::string& behind, char separator) {
        std::string text = names;
        for (int i = 0; i < kFrames; ++i) {
            text += before(i);
            bool first = true;
            for (const auto& v : flat(i, Side::right)) {
                if (!std::exchange(first, false)) text += separator;
                text += v.dump();
            }
            text += behind + "\n";
        }
        return text;
    };
    std::string counted, features = "label";
    for (int n = 0; n < 63; ++n) {
        counted += "," + std::to_string(n);
        features += ",f" + std::to_string(n);
    }
    const auto none = [](int) { return std::string(); };
    const auto index = [](int i) { return std::to_string(i) + ","; };
    const auto time = [](int i) { return std::to_string(0.02 * i).append(","); };
    for (const std::string& text : {table("", time, "", ','), table("", time, ",0", ',')}) {
        const TemporaryFile file(text, "right.csv");
        const Recording recording = load(file.path());
        expect_hands(recording, false);
        EXPECT_EQ(recording.samples.back().time_ns, 780'000'000);
    }
    std::string flat_hand;  // the depths of its points are whole numbers, but the last is no label
    for (int i = 0; i < kFrames; ++i) {
        flat_hand += std::to_string(0.02 * i);
        const ordered_json numbers = flat(i, Side::right);
        for (std::size_t n = 0; n < 63; n += 3)
            flat_hand += "," + numbers[n].dump() + "," + numbers[n + 2].dump() + ",0";
        flat_hand += "\n";
    }
    EXPECT_THAT(load(TemporaryFile(flat_hand, "right.csv").path()).notes,
                Contains("Time stamps were taken as seconds, by their steps."));
    for (const std::string before : {"0,", "3,"}) {  // a label, which may change
        const auto label = [&before](int i) { return i < 30 ? before : std::string("4,"); };
        const TemporaryFile file(table("", label, "", ','), "right.csv");
        const Recording recording = load(file.path());
        expect_hands(recording, false);
        EXPECT_EQ(recording.samples.back().time_ns, 1'300'000'000);
    }
    for (const std::string& text :
         {table("", none, "", ','), table("", none, "", ' '), table("", none, ",wave", ','), table("", index, "", ','),
          table(counted.substr(1) + "\n", none, "", ','), table(counted + "\n", index, "", ','),
          table(
              features + "\n", [](int) { return std::string("wave,"); }, "", ',')})
        expect_right(text, "right.csv");
    std::string flags;
    for (int i = 0; i < kFrames; ++i) {
        for (const Side side : {Side::left, Side::right}) {
            flags += side == Side::left ? "1" : " 1";
            for (const auto& v : flat(i, side, true)) flags += " " + v.dump();
        }
        flags += "\n";
    }
    expect_both(flags);
    EXPECT_EQ(load(TemporaryFile(flags.substr(0, flags.find('\n') + 1)).path()).samples.size(), 1U);
    std::string body;
    for (int i = 0; i < 4; ++i) {
        for (std::size_t k = 0; k < kBody.size(); ++k)
            for (std::size_t a = 0; a < 3; ++a) body += (k + a == 0 ? "" : ",") + std::to_string(kBody[k][a]);
        body += "\n";
    }
    EXPECT_THAT(refusal(body), HasSubstr("the 25 points are not those of a hand"));
}

TEST(PointsCsv, RowsBeforeOneThatIsCutOffAreRead) {
    const std::string whole = numbered_csv(kFrames);
    const Recording cut = load(TemporaryFile(whole.substr(0, whole.size() - 30), "right.csv").path());
    expect_hands(cut, false, kFrames - 1);
    EXPECT_THAT(cut.doubts, Contains(HasSubstr("cut off in row 41; 39 samples before it were read")));
}

// As pandas writes a column of tuples or arrays.
TEST(ListCells, AreReadAsCellsOfNumbers) {
    const auto list = [](const ordered_json& numbers, const std::string& around, const std::string& between) {
        std::string text(1, around[0]);
        for (std::size_t n = 0; n < numbers.size(); ++n) text += (n > 0 ? between : "") + numbers[n].dump();
        return text + around[1];
    };
    const auto quoted = [](const std::string& cell) { return "\"" + cell + "\""; };
    std::string tuples = "time", blanks = "time", semicolons = "time", rows = "time,hand,joint,position,rotation\n";
    std::string one = "time,landmarks\n", lost = "time";
    for (std::size_t j = 1; j < tracking::kJointCount; ++j) {
        const std::string name = "right_" + std::string(name_of(static_cast<Joint>(j)));
        for (std::string* text : {&tuples, &blanks, &lost}) *text += "," + name;
        semicolons += ";" + name;
    }
    for (int i = 0; i < kFrames; ++i) {
        const std::string time = std::to_string(0.02 * i);
        for (std::string* text : {&tuples, &blanks, &semicolons, &lost}) *text += "\n" + time;
        for (std::size_t j = 1; j < tracking::kJointCount; ++j) {
            const ordered_json point = joints(i, Side::right)[j];
            tuples += "," + quoted(list(point, "()", ", "));
            blanks += "," + list(point, "[]", "  ");
            semicolons += ";" + list(point, "()", ", ");
            lost += i == 3 ? "," : "," + quoted(list(point, "[]", ","));
            rows += time + ",Right," + std::string(name_of(static_cast<Joint>(j))) + "," +
                    quoted(list(point, "()", ", ")) + ",\"[0, 0, 0, 1]\"\n";
        }
        one += time + "," + quoted(landmarks(i, Side::right).dump()) + "\n";
    }
    for (const std::string& text : {tuples + "\n", blanks + "\n", semicolons + "\n", rows, one}) {
        const TemporaryFile file(text, "right.csv");
        const Recording recording = load(file.path());
        expect_hands(recording, false);
        EXPECT_EQ(recording.samples.back().time_ns, 780'000'000);
    }
    const Recording with_lost = load(TemporaryFile(lost + "\n", "right.csv").path());
    ASSERT_EQ(with_lost.samples.size(), static_cast<std::size_t>(kFrames));
    EXPECT_FALSE(with_lost.samples[3][Side::right].active);
    tuples.replace(tuples.rfind(')'), 1, ", 1)");
    EXPECT_THAT(refusal(tuples + "\n", "right.csv"), HasSubstr(":41: the row has more than 76 columns"));
}

TEST(HandJson, ReadsRowsOfNumbersAndMatricesWithoutWords) {
    const auto matrix = [](const ordered_json& point, bool nested) {
        const ordered_json rows = {{1, 0, 0, point[0]}, {0, 1, 0, point[1]}, {0, 0, 1, point[2]}, {0, 0, 0, 1}};
        ordered_json flat_rows = ordered_json::array();
        for (const ordered_json& row : rows) flat_rows.insert(flat_rows.end(), row.begin(), row.end());
        return nested ? rows : flat_rows;
    };
    expect_right(lines_of([](int i) { return flat(i, Side::right); }), "right.json");
    expect_both(lines_of([](int i) {
        ordered_json both = flat(i, Side::left, true);
        for (const ordered_json& number : flat(i, Side::right, true)) both.push_back(number);
        return both;
    }));
    for (const bool nested : {false, true})
        expect_right(frames_of([&](int i) {
                         ordered_json list = ordered_json::array();
                         for (const ordered_json& point : joints(i, Side::right)) list.push_back(matrix(point, nested));
                         return list;
                     }).dump());
}

TEST(Blender, BonesWithHeadAndTailAreRead) {
    struct Bone {
        std::string name;
        std::size_t head, tail;
    };
    std::vector<Bone> bones = {{"hand.R", 1, 12}};
    constexpr std::array kFingers = {"thumb", "f_index", "f_middle", "f_ring", "f_pinky"};
    for (std::size_t f = 0; f < kFingers.size(); ++f)
        for (std::size_t b = 0; b < 3; ++b) {
            const std::size_t head = (f == 0 ? 2 : 2 + 5 * f) + b;
            bones.push_back({std::string(kFingers[f]) + ".0" + std::to_string(b + 1) + ".R", head, head + 1});
        }
    std::ostringstream wide, rows;
    wide << "frame";
    rows << "frame,bone,head_x,head_y,head_z,tail_x,tail_y,tail_z\n";
    for (const Bone& bone : bones)
        for (const char* end : {"_head_x", "_head_y", "_head_z", "_tail_x", "_tail_y", "_tail_z"})
            wide << "," << bone.name << end;
    for (int i = 0; i < kFrames; ++i) {
        wide << "\n" << i;
        for (const Bone& bone : bones) {
            rows << i << "," << bone.name;
            for (const std::size_t joint : {bone.head, bone.tail})
                for (const float v : position_m(closing_hand(i, Side::right), joint))
                    for (std::ostringstream* text : {&wide, &rows}) *text << "," << v;
            rows << "\n";
        }
    }
    const auto frame = [&bones](int i) {
        ordered_json named;
        for (const Bone& bone : bones)
            named[bone.name] = {{"head", joints(i, Side::right)[bone.head]},
                                {"tail", joints(i, Side::right)[bone.tail]}};
        return ordered_json{{"frame", i}, {"bones", named}};
    };
    for (const std::string& text : {wide.str() + "\n", rows.str(), frames_of(frame).dump()}) {
        const TemporaryFile file(text);
        const Recording recording = load(file.path());
        expect_hands(recording, false);
        const bool has_tips = text != rows.str();  // a row of a long table has one point
        EXPECT_EQ(
            (recording.samples[0][Side::right][Joint::index_tip].flags & tracking::joint_flags::kPositionTracked) != 0,
            has_tips);
    }
}

TEST(Ros, MessagesThatAreNotReadSayWhatIs) {
    for (const char* text :
         {"header:\n  stamp:\n    sec: 1\n    nanosec: 2\n  frame_id: world\nposes:\n- position:\n    x: 0.1\n",
          "markers:\n- header:\n    stamp:\n      sec: 1\n", "1700000000,20000000,world,right,0,2,0,0.1,0.2,0.3\n"})
        EXPECT_THAT(refusal(text), HasSubstr("ros2 topic echo --csv"));
    EXPECT_THAT(refusal("0,12,left,0.1,0.2,0.3\n"), Not(HasSubstr("ros2"))) << "numbers of frames and rows";
    std::ostringstream poses;
    for (int i = 0; i < kFrames; ++i) {
        poses << 1700000000 << "," << 20'000'000 * i << ",world";
        for (const auto& point : landmarks(i, Side::right))
            poses << "," << point[0] << "," << point[1] << "," << point[2] << ",0,0,0,1";
        poses << "\n";
    }
    expect_right(poses.str(), "right.csv");
}

TEST(Senseglove, FingersWithoutAWristAskForIt) {
    const std::string text = lines_of([](int i) {
        ordered_json fingers = ordered_json::array();
        for (std::size_t f = 0; f < 5; ++f) {
            fingers.emplace_back();
            for (std::size_t j = 2 + 5 * f; j < 6 + 5 * f; ++j) fingers.back().push_back(joints(i, Side::right)[j]);
        }
        return ordered_json{{"t", 0.02 * i}, {"rightHanded", true}, {"jointPositions", fingers}};
    });
    EXPECT_THAT(refusal(text), HasSubstr("a member wrist beside them: [0, 0, 0]"));
}

// The last row may have no line end. Then an error in another row must not be taken for that of a file that is cut off.
TEST(Times, ThatGoBackAreRefusedWithTheirRow) {
    std::string table = numbered_csv(kFrames);
    table.pop_back();
    table.replace(table.find("\n0.2,"), 5, "\n0.1,");
    EXPECT_THAT(refusal(table, "right.csv"), HasSubstr(":12: time goes back"));
    std::string lines = lines_of([](int i) {
        return ordered_json{{"time", i == 10 ? 0.1 : 0.02 * i}, {"landmarks", landmarks(i, Side::right)}};
    });
    lines.pop_back();
    EXPECT_THAT(refusal(lines, "right.json"), HasSubstr(":11: time goes back"));
    const std::string late = lines_of([](int i) {
        return ordered_json{{"timestamp_ns", 18'446'744'073'709'551'575U + static_cast<unsigned>(i)},
                            {"landmarks", landmarks(i, Side::right)}};
    });
    EXPECT_THAT(refusal(late, "right.json"), HasSubstr(":1: frame 0 has a time out of range"));
}

// A double has nanoseconds since 1970 in steps of 256.
TEST(Times, ThatAreWholeNumbersAreExact) {
    const auto time_ns = [](int i) { return 1'700'000'000'123'456'789 + 20'000'001LL * i; };
    const auto whole = [&](int i) { return std::to_string(time_ns(i)); };
    const auto parts = [&](int i) {
        return std::to_string(time_ns(i) / 1'000'000'000) + "," + std::to_string(time_ns(i) % 1'000'000'000);
    };
    const auto date = [&](int i) { return "2023-11-14 22:13:" + std::to_string(20.1234 + 0.02 * i); };
    const auto table = [](const std::string& names, const std::function<std::string(int)>& stamp, bool marks) {
        std::string text = names;
        for (int i = 0; i < kFrames; ++i) {
            text += stamp(i);
            const ordered_json numbers = marks ? flat(i, Side::right) : joints(i, Side::right).flatten();
            for (const auto& v : numbers) text += "," + v.dump();
            text += "\n";
        }
        return text;
    };
    std::string numbered = "time", marked = "time", named = "time";
    for (std::size_t j = 0; j < tracking::kJointCount; ++j)
        for (const char axis : {'x', 'y', 'z'}) {
            numbered += ",joint_" + std::to_string(j) + "_" + axis;
            named += ",right_" + std::string(name_of(static_cast<Joint>(j))) + "_" + axis;
        }
    for (const std::string& name : landmark_columns()) marked += "," + name;
    for (const std::string& text : {table("", parts, false), table(numbered + "\n", whole, false),
                                    table(named + "\n", whole, false), table(marked + "\n", whole, true)}) {
        const TemporaryFile file(text, "right.csv");
        const Recording recording = load(file.path());
        ASSERT_EQ(recording.samples.size(), static_cast<std::size_t>(kFrames));
        for (int i = 0; i < kFrames; ++i)
            ASSERT_EQ(recording.samples[static_cast<std::size_t>(i)][Side::right].times.device_ns, time_ns(i))
                << recording.format;
    }
    for (const std::string& text : {table(numbered + "\n", date, false), table(named + "\n", date, false)}) {
        const TemporaryFile file(text, "right.csv");
        EXPECT_EQ(load(file.path()).samples[9][Side::right].times.device_ns, 1'700'000'000'303'400'000);
    }
}

TEST(PointsCsv, HandsMayBeBesideOtherPoints) {
    const auto table = [](const std::vector<std::string>& names) {
        std::ostringstream text;
        text << "time";
        for (const std::string& name : names)
            for (int k = 0; k < (name == "body" ? 25 : 26); ++k)
                for (const char axis : {'x', 'y', 'z'}) text << "," << name << "_" << k << "_" << axis;
        for (int i = 0; i < kFrames; ++i) {
            text << "\n" << 0.02 * i;
            for (const std::string& name : names) {
                for (int n = 0; n < 75 && name == "body"; ++n) text << "," << 0.01 * (n % 7) * (n % 11);
                if (name == "body") continue;
                const Side side = name == "a_hand" || name == "left_hand" ? Side::left : Side::right;
                for (const auto& point : joints(i, side, true))
                    for (const auto& v : point) text << "," << v;
            }
        }
        return text.str() + "\n";
    };
    const TemporaryFile with_body(table({"body", "left_hand", "right_hand"}));
    const TemporaryFile with_third(table({"a_hand", "b_hand", "c_hand"}));
    for (const auto& [file, left_out] : {std::pair{&with_body, "body"}, std::pair{&with_third, "c hand"}}) {
        const Recording recording = load(file->path());
        expect_hands(recording, true);
        EXPECT_THAT(recording.notes, Contains(HasSubstr(std::string("The points ") + left_out + " were not read")));
    }
}

TEST(Landmarks, APointThatLacksACoordinateIsLost) {
    for (const std::string missing : {"", "NaN"}) {
        std::string wide = "time", rows = "frame,landmark,x,y,z";
        for (const std::string& name : landmark_columns()) wide += "," + name;
        for (int i = 0; i < kFrames; ++i) {
            wide += "\n" + std::to_string(0.02 * i);
            const ordered_json numbers = flat(i, Side::right);
            for (std::size_t n = 0; n < 63; ++n) {
                if (n % 3 == 0) rows += "\n" + std::to_string(i) + "," + std::to_string(n / 3);
                const std::string cell = i % 2 == 1 && n == 3 * 8 + 2 ? missing : numbers[n].dump();
                wide += "," + cell;
                rows += "," + cell;
            }
        }
        for (const std::string& text : {wide + "\n", rows + "\n"}) {
            const Recording recording = load(TemporaryFile(text, "right.csv").path());
            expect_hands(recording, false);
            for (std::size_t i = 0; i < recording.samples.size(); ++i) {
                const HandFrame& hand = recording.samples[i][Side::right];
                EXPECT_EQ((hand[Joint::index_tip].flags & tracking::joint_flags::kPositionTracked) == 0, i % 2 == 1);
                EXPECT_TRUE(hand[Joint::index_distal].position_valid());
            }
        }
    }
}

TEST(Landmarks, WithNumbersMayHaveAnyKnownOrder) {
    std::string wide = "time", rows = "frame,landmark,x,y,z";
    for (int k = 0; k < 21; ++k)
        for (const char axis : {'x', 'y', 'z'}) wide += "," + std::string(1, axis) + std::to_string(k);
    for (int i = 0; i < kFrames; ++i) {
        wide += "\n" + std::to_string(0.02 * i);
        for (std::size_t k = 0; k < 21; ++k) {  // the thumb is the last finger
            const auto p = landmark(closing_hand(i, Side::right), k == 0 ? 0 : k > 16 ? k - 16 : k + 4);
            rows += "\n" + std::to_string(i) + "," + std::to_string(k);
            for (const float v : p) {
                wide += "," + std::to_string(v);
                rows += "," + std::to_string(v);
            }
        }
    }
    for (const std::string& text : {wide + "\n", rows + "\n"}) {
        expect_right(text, "right.csv");
        EXPECT_THAT(load(TemporaryFile(text).path()).notes, Contains(HasSubstr("MSRA")));
    }
}

// Oculus' bones of a hand; the second one is the forearm's, the third the trapezium.
ordered_json oculus_bones(int i, Side side) {
    constexpr std::array kJoints = {1,  1,  1,  2,  3,  4,  7,  8, 9,  12, 13, 14,
                                    17, 18, 19, 21, 22, 23, 24, 5, 10, 15, 20, 25};
    ordered_json list = ordered_json::array();
    for (const int joint : kJoints) {
        const Eigen::Vector3f p = hand_apart(i, side).joints[static_cast<std::size_t>(joint)].position_m;
        list.push_back({p.x(), p.y(), p.z()});
    }
    return list;
}

TEST(JointCsv, NumbersOfJointsMayBeThoseOfOtherLists) {
    for (const std::size_t points : {24U, 25U}) {
        std::string text = "time,hand,joint_id,x,y,z";
        for (int i = 0; i < kFrames; ++i)
            for (const Side side : {Side::left, Side::right}) {
                const ordered_json list = points == 24 ? oculus_bones(i, side) : joints(i, side, true, 1);
                for (std::size_t k = 0; k < points; ++k)
                    text += "\n" + std::to_string(0.02 * i) +
                            ",EControllerHand::" + (side == Side::left ? "Left," : "Right,") + std::to_string(k) + "," +
                            list[k][0].dump() + "," + list[k][1].dump() + "," + list[k][2].dump();
            }
        expect_both(text + "\n");
    }
    std::string body = "time,joint_id,x,y,z";
    for (int i = 0; i < 4; ++i)
        for (std::size_t k = 0; k < kBody.size(); ++k) {
            body += "\n" + std::to_string(0.1 * i) + "," + std::to_string(k);
            for (const float v : kBody[k]) body += "," + std::to_string(v);
        }
    EXPECT_THAT(refusal(body + "\n"), HasSubstr("not those of a hand"));
}

TEST(HandJson, ListsOfOtherLengthsAreHands) {
    expect_both(
        frames_of([](int i) {
            return ordered_json{{"leftHand", oculus_bones(i, Side::left)}, {"rightHand", oculus_bones(i, Side::right)}};
        }).dump());
    for (const std::size_t first : {0U, 1U})  // 78 and 75 numbers
        expect_both(frames_of([first](int i) {
                        ordered_json frame;
                        for (const Side side : {Side::left, Side::right}) {
                            ordered_json numbers = ordered_json::array();
                            for (const auto& p : joints(i, side, true, first))
                                for (const auto& v : p) numbers.push_back(v);
                            frame[std::string(name_of(side))] = numbers;
                        }
                        return frame;
                    }).dump());
    expect_both(frames_of([](int i) {  // OpenPose
                    ordered_json person;
                    for (const Side side : {Side::left, Side::right}) {
                        ordered_json numbers = ordered_json::array();
                        for (const auto& p : landmarks(i, side, true)) {
                            for (const auto& v : p) numbers.push_back(v);
                            numbers.push_back(0.9);
                        }
                        person["hand_" + std::string(name_of(side)) + "_keypoints_3d"] = numbers;
                    }
                    person["hand_left_keypoints_2d"] = ordered_json::array();
                    return ordered_json{{"people", {person}}};
                })
                    .dump());
    const auto two = [](int i) {  // the right hand first
        ordered_json list = landmarks(i, Side::right, true);
        for (const auto& p : landmarks(i, Side::left, true)) list.push_back(p);
        return ordered_json{{"world_coord", list}};
    };
    ordered_json captures;
    for (const char* capture : {"0", "1"})
        for (int i = 0; i < kFrames; ++i) captures[capture][std::to_string(20'000 + 3 * i)] = two(i);
    expect_both(captures.dump());
    EXPECT_THAT(load(TemporaryFile(captures.dump()).path()).notes, Contains(HasSubstr("several lists of frames")));
    expect_right(frames_of([](int i) { return landmarks(i, Side::right); }).dump());
    expect_right(frames_of([](int i) {
                     ordered_json axes = {{"hand", "right"}};
                     for (const auto& p : joints(i, Side::right)) {
                         axes["x"].push_back(p[0]);
                         axes["y"].push_back(p[1]);
                         axes["z"].push_back(p[2]);
                     }
                     return axes;
                 }).dump());
}

TEST(HandJson, ArraysOfJavaScriptAreObjects) {
    const auto object = [](const std::vector<float>& values) {
        ordered_json json;
        for (std::size_t n = 0; n < values.size(); ++n) json[std::to_string(n)] = values[n];
        return json;
    };
    const auto matrices = [](int i) {
        std::vector<float> values;
        for (std::size_t j = 1; j < tracking::kJointCount; ++j)
            for (const float v : matrix_values(
                     Eigen::Isometry3f(Eigen::Translation3f(closing_hand(i, Side::right).joints[j].position_m)), false))
                values.push_back(v);
        return values;
    };
    expect_right(frames_of([&](int i) {
                     return ordered_json{{"handedness", "right"}, {"poses", object(matrices(i))}};
                 }).dump());
    expect_right(frames_of([&](int i) {
                     const std::vector<float> all = matrices(i);
                     ordered_json hand;
                     for (std::size_t j = 1; j < tracking::kJointCount; ++j) {
                         const auto at = all.begin() + static_cast<long>(16 * (j - 1));
                         hand[std::string(name_of(static_cast<Joint>(j)))] = {
                             {"matrix", object(std::vector<float>(at, at + 16))}, {"radius", 0.01}};
                     }
                     return ordered_json{{"handedness", "right"}, {"joints", hand}};
                 }).dump());
}

TEST(HandJson, FingersMayBeListsOrObjects) {
    constexpr std::array kFingers = {"thumb", "indexFinger", "middle", "ring", "pinky"};
    for (const int kind : {0, 1, 2, 3}) {
        SCOPED_TRACE(kind);
        expect_right(frames_of([&](int i) {
                         const ordered_json all = joints(i, Side::right);
                         ordered_json fingers, lists = ordered_json::array();
                         for (std::size_t f = 0; f < 5; ++f) {
                             const std::size_t knuckle = f == 0 ? 2 : 2 + 5 * f;
                             const std::size_t first = kind == 1 && f > 0 ? knuckle - 1 : knuckle;
                             ordered_json list = ordered_json::array(), bones;
                             for (std::size_t j = first; j < knuckle + 4; ++j) list.push_back(all[j]);
                             constexpr std::array kBones = {"metacarpal", "proximal", "intermediate", "distal"};
                             for (std::size_t b = 0; b < 4; ++b) {
                                 const std::size_t start = f == 0 ? (b == 0 ? 2 : 1 + b) : 1 + 5 * f + b;
                                 bones[kBones[b]] = {{"prev_joint", all[start]},
                                                     {"next_joint", all[f == 0 && b == 0 ? 2 : start + 1]}};
                             }
                             fingers[kFingers[f]] = kind == 2 ? bones : list;
                             lists.push_back(list);
                         }
                         ordered_json hand = {{"hand", "right"}, {"wrist", all[1]}};
                         if (kind == 3)
                             hand["jointPositions"] = lists;
                         else
                             hand["fingers"] = fingers;
                         return hand;
                     }).dump());
    }
}

TEST(HandJson, TwoFramesAreNotTwoHands) {
    const auto hand = [](int i) { return ordered_json{{"hand", "right"}, {"landmarks", landmarks(i, Side::right)}}; };
    const auto both = [](int i) {
        return ordered_json{{"left", landmarks(i, Side::left, true)}, {"right", landmarks(i, Side::right, true)}};
    };
    const auto frames_in = [](const ordered_json& json) {
        return load(TemporaryFile(json.dump(), "take.json").path()).samples.size();
    };
    EXPECT_EQ(frames_in({{"0", hand(0)}, {"1", hand(1)}}), 2U);
    EXPECT_EQ(frames_in({{"0", both(0)}, {"1", both(1)}}), 2U);
    EXPECT_EQ(frames_in({{"0", landmarks(0, Side::right)}, {"1", landmarks(1, Side::right)}}), 2U);
    EXPECT_EQ(frames_in({{"0", landmarks(0, Side::left, true)}, {"1", landmarks(0, Side::right, true)}}), 1U);
}

TEST(HandJson, HandsOfOneInstantMayBeFramesOfTheirOwnAndEndEarlier) {
    std::string text;
    for (int i = 0; i < kFrames; ++i)
        for (const Side side : {Side::right, Side::left})
            text +=
                ordered_json{{"time", 0.02 * i}, {"hand", name_of(side)}, {"joints", joints(i, side, true)}}.dump() +
                "\n";
    expect_both(text);
    const Recording recording =
        load(TemporaryFile(ordered_json{{"left", frames_of([](int i) { return landmarks(i, Side::left, true); })},
                                        {"right", frames_of([](int i) { return landmarks(i, Side::right, true); }, 30)}}
                               .dump())
                 .path());
    ASSERT_EQ(recording.samples.size(), 40U);
    EXPECT_LT(largest_apart_m(recording.samples[29][Side::right], hand_apart(29, Side::right)), 1e-4F);
    EXPECT_FALSE(recording.samples[30][Side::right].active);
    EXPECT_THAT(recording.notes, Contains(HasSubstr("One hand has 30 frames and the other 40")));
}

TEST(JointNames, KnowTheBonesOfSteamVr) {
    const auto is = [](const char* name, Joint joint) {
        const auto named = joint_of_track_name(name);
        return named && named->side == Side::right && named->joint == joint;
    };
    EXPECT_TRUE(is("wrist_r", Joint::wrist));
    EXPECT_TRUE(is("finger_thumb_0_r", Joint::thumb_metacarpal));
    EXPECT_TRUE(is("finger_thumb_r_end", Joint::thumb_tip));
    EXPECT_TRUE(is("finger_index_meta_r", Joint::index_metacarpal));
    EXPECT_TRUE(is("finger_index_0_r", Joint::index_proximal));
    EXPECT_TRUE(is("finger_pinky_2_r", Joint::little_distal));
    EXPECT_TRUE(is("finger_pinky_r_end", Joint::little_tip));
    EXPECT_FALSE(joint_of_track_name("finger_index_r_aux"));
    EXPECT_FALSE(joint_of_track_name("finger_thumb_meta_r"));
}

}  // namespace
}  // namespace glovebox::recordings::loggers
