#include "tests/runtime/script.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>

namespace glovebox::tests::runtime {
namespace {

constexpr XrVector3f kDefaultTarget{0.0F, 1.15F, -0.40F};

struct Fault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Splits one line into words and takes them from the front.
class Words {
  public:
    explicit Words(const std::string& line) {
        std::istringstream stream(line.substr(0, line.find('#')));
        for (std::string word; stream >> word;) words_.push_back(word);
    }
    bool empty() const { return next_ == words_.size(); }
    bool peek_is(const std::string& word) const { return !empty() && words_[next_] == word; }
    bool peek_is_number() const {
        return !empty() && words_[next_].find_first_not_of("+-.0123456789e") == std::string::npos;
    }
    bool take(const std::string& word) {
        if (!peek_is(word)) return false;
        ++next_;
        return true;
    }
    std::string word(const char* what) {
        if (empty()) throw Fault(std::string(what) + " is missing");
        return words_[next_++];
    }
    double number(const char* what) {
        const std::string text = word(what);
        std::size_t used = 0;
        double value = 0.0;
        try {
            value = std::stod(text, &used);
        } catch (const std::exception&) {
        }
        if (used != text.size()) throw Fault(std::string(what) + " is not a number: " + text);
        return value;
    }
    double number_or(double otherwise) { return peek_is_number() ? number("number") : otherwise; }
    float real(const char* what) { return static_cast<float>(number(what)); }
    XrVector3f vector(const char* what) {
        const float x = real(what), y = real(what), z = real(what);
        return {x, y, z};
    }
    // X Y Z [yaw DEG] [pitch DEG] [roll DEG]
    XrPosef pose(const char* what) {
        XrPosef pose{kIdentityPose.orientation, vector(what)};
        float yaw = 0, pitch = 0, roll = 0;
        for (;;) {
            if (take("yaw"))
                yaw = real("yaw");
            else if (take("pitch"))
                pitch = real("pitch");
            else if (take("roll"))
                roll = real("roll");
            else
                break;
        }
        pose.orientation = yaw_pitch_roll(yaw, pitch, roll);
        return pose;
    }
    bool on_off() {
        if (take("on")) return true;
        if (take("off")) return false;
        throw Fault("needs on or off");
    }
    std::size_t side() {
        if (take("left")) return 0;
        if (take("right")) return 1;
        throw Fault("needs left or right");
    }

  private:
    std::vector<std::string> words_;
    std::size_t next_ = 0;
};

const std::map<std::string, HandFault> kFaults{
    {"drop", HandFault::dropped},  {"untracked", HandFault::untracked},        {"nan", HandFault::not_finite},
    {"zeros", HandFault::zeros},   {"nan_ahead", HandFault::not_finite_ahead}, {"nonunit", HandFault::not_unit},
    {"freeze", HandFault::frozen}, {"no_radii", HandFault::no_radii},          {"invalid", HandFault::not_valid},
    {"heal", HandFault::none}};
const std::map<std::string, XrSessionState> kStates{{"synchronized", XR_SESSION_STATE_SYNCHRONIZED},
                                                    {"visible", XR_SESSION_STATE_VISIBLE},
                                                    {"focused", XR_SESSION_STATE_FOCUSED}};
// Events with an optional number, and the number's default.
const std::map<std::string, std::pair<EventKind, double>> kNumbered{
    {"stopping", {EventKind::stopping, 0.2}},
    {"exiting", {EventKind::exiting, 0.0}},
    {"session_loss_pending", {EventKind::session_loss_pending, 0.5}},
    {"session_lost", {EventKind::session_lost, 0.0}},
    {"loss_pending", {EventKind::loss_pending, 0.5}},
    {"instance_lost", {EventKind::instance_lost, 0.5}},
    {"stall", {EventKind::stall, 0.2}},
    {"late_images", {EventKind::late_images, 1.0}},
    {"stage_moved", {EventKind::stage_moved, 0.0}}};
const std::map<std::string, XrEnvironmentBlendMode> kBlendModes{{"opaque", XR_ENVIRONMENT_BLEND_MODE_OPAQUE},
                                                                {"additive", XR_ENVIRONMENT_BLEND_MODE_ADDITIVE},
                                                                {"alpha_blend", XR_ENVIRONMENT_BLEND_MODE_ALPHA_BLEND}};

ScriptEvent read_event(Words& words) {
    ScriptEvent event;
    std::string when = words.word("frame or time");
    const bool seconds = when.back() == 's';
    if (seconds) when.pop_back();
    if (when.empty() || when.find_first_not_of(seconds ? ".0123456789" : "0123456789") != std::string::npos)
        throw Fault("needs a frame (30) or a time (0.5s) after 'at'");
    if (seconds)
        event.time_s = std::stod(when);
    else
        event.frame = std::stoi(when);

    const std::string what = words.word("event");
    if (const auto fault = kFaults.find(what); fault != kFaults.end()) {
        event.fault = fault->second;
        event.side = words.side();
    } else if (const auto state = kStates.find(what); state != kStates.end()) {
        event.kind = EventKind::state;
        event.target = state->second;
    } else if (const auto row = kNumbered.find(what); row != kNumbered.end()) {
        event.kind = row->second.first;
        event.number = words.number_or(row->second.second);
        if (event.kind == EventKind::late_images && words.take("of"))
            event.width = static_cast<std::uint32_t>(words.number("width"));
    } else if (what == "jump") {
        event.kind = EventKind::jump;
        event.side = words.side();
        event.vector_m = words.vector("jump");
    } else if (what == "trigger" || what == "squeeze") {
        event.kind = what == "trigger" ? EventKind::trigger : EventKind::squeeze;
        event.side = words.side();
        event.number = words.number("value");
    } else if (what == "head") {
        event.kind = EventKind::head;
        event.pose = words.pose("head");
    } else if (what == "recenter") {
        event.kind = EventKind::recenter;
        if (!words.empty()) event.pose = words.pose("recenter");
        event.number = event.pose.position.y == 0.0F ? 0.0 : 1.0;
    } else if (what == "message") {
        event.kind = EventKind::message;
        event.text = words.word("text");
    } else if (what == "profile") {
        event.kind = EventKind::profile;
        event.text = words.word("profile");
    } else {
        throw Fault("no event is called '" + what + "'");
    }
    return event;
}

void read_hand(Words& words, Script& script, const std::function<std::string(std::string)>& resolve) {
    const std::size_t side = words.side();
    HandMotion& motion = script.hands[side];
    if (words.take("off")) {
        motion = {};
    } else if (words.take("key")) {
        HandKey key;
        key.time_s = words.number("time");
        key.stage_from_wrist = words.pose("wrist");
        if (words.take("curl")) key.curl = key.thumb_curl = words.real("curl");
        if (words.take("thumb")) key.thumb_curl = words.real("thumb");
        if (!motion.keys.empty() && key.time_s <= motion.keys.back().time_s)
            throw Fault("keys must be in order of time");
        motion.rows.clear();
        motion.keys.push_back(key);
    } else if (words.take("csv")) {
        const std::string path = resolve(words.word("file"));
        const bool mirrored = words.take("mirror");
        motion = {};
        motion.stage_from_recording = {kIdentityPose.orientation, kDefaultTarget};
        if (words.take("at")) motion.stage_from_recording = words.pose("place");
        motion.rows = read_hand_csv(path, mirrored);
    } else {
        const std::string name = words.word("motion");
        const XrVector3f target = words.take("at") ? words.vector("target") : kDefaultTarget;
        motion = built_in_motion(name, side == 1, target);
    }
}

void read_fov(Words& words, Script& script) {
    const std::size_t side = words.side();
    const auto angle = [&words](const char* what) { return words.real(what) * kRadiansPerDegree; };
    XrFovf& fov = script.fov[side];
    fov.angleLeft = angle("left");
    fov.angleRight = angle("right");
    fov.angleUp = angle("up");
    fov.angleDown = angle("down");
}

void read_blend_modes(Words& words, Script& script) {
    script.blend_modes.clear();
    do {
        const std::string name = words.word("blend mode");
        const auto mode = kBlendModes.find(name);
        if (mode == kBlendModes.end()) throw Fault("no blend mode is called '" + name + "'");
        script.blend_modes.push_back(mode->second);
    } while (!words.empty());
}

Script::HeadlessFrames read_headless_frames(Words& words) {
    const std::string word = words.word("allow, ignore or refuse");
    if (word == "allow") return Script::HeadlessFrames::allow;
    if (word == "ignore") return Script::HeadlessFrames::ignore;
    if (word == "refuse") return Script::HeadlessFrames::refuse;
    throw std::runtime_error("headless_frames is allow, ignore or refuse");
}

void read_line(Words& words, Script& script, const std::function<std::string(std::string)>& resolve) {
    const std::string command = words.word("command");
    if (command == "at")
        script.events.push_back(read_event(words));
    else if (command == "hand")
        read_hand(words, script, resolve);
    else if (command == "rate")
        script.rate_hz = std::max(1.0, words.number("rate"));
    else if (command == "rates")
        while (!words.empty()) script.rates_hz.push_back(words.number("rate"));
    else if (command == "pace_headless")
        script.pace_headless = words.on_off();
    else if (command == "stretch")
        script.stretches = words.on_off();
    else if (command == "loss_seen_in")
        script.loss_seen_in = words.word("the beginning of a call's name");
    else if (command == "slow") {
        script.slow_call = words.word("a call's name");
        script.slow_s = words.number("seconds");
    } else if (command == "headless_frames")
        script.headless_frames = read_headless_frames(words);
    else if (command == "eye_size")
        script.eye_size = {static_cast<int>(words.number("width")), static_cast<int>(words.number("height"))};
    else if (command == "fov")
        read_fov(words, script);
    else if (command == "canted")
        script.canted_deg = words.real("degrees");
    else if (command == "blend")
        read_blend_modes(words, script);
    else if (command == "swapchains")
        script.most_swapchains = static_cast<int>(words.number("count"));
    else if (command == "layers") {
        script.most_layers = static_cast<int>(words.number("count"));
        if (words.take("said")) script.layers_said = static_cast<int>(words.number("count"));
    } else if (command == "quads")
        script.quads = words.on_off();
    else if (command == "begin_fails")
        script.begin_fails = static_cast<int>(words.number("count"));
    else if (command == "stale_events")
        script.stale_events = words.on_off();
    else if (command == "honour_time")
        script.honour_time = words.on_off();
    else if (command == "head")
        script.stage_from_head = words.pose("head");
    else if (command == "noise")
        script.noise_m = words.real("noise");
    else if (command == "velocities")
        script.velocities = words.on_off();
    else if (command == "hand_tracking")
        script.hand_tracking = words.on_off();
    else if (command == "force_feedback")
        script.force_feedback = words.on_off();
    else if (command == "without")
        script.without.insert(words.word("extension"));
    else if (command == "unavailable")
        script.unavailable = static_cast<int>(words.number("count"));
    else if (command == "no_headset")
        script.no_headset = static_cast<int>(words.number("count"));
    else if (command == "profile")
        script.profile = words.word("profile");
    else if (command == "log")
        script.log_path = words.peek_is("-") ? words.word("file") : resolve(words.word("file"));
    else if (command == "eyes") {
        script.eyes_folder = resolve(words.word("folder"));
        if (words.take("every"))
            script.eyes_every = std::max(1, static_cast<int>(words.number("frames")));
        else
            while (!words.empty()) script.eyes_frames.push_back(static_cast<int>(words.number("frame")));
    } else
        throw Fault("no command is called '" + command + "'");
    if (!words.empty()) throw Fault("did not expect '" + words.word("word") + "'");
}

}  // namespace

bool Script::eyes_frame(int frame) const {
    if (eyes_folder.empty()) return false;
    if (eyes_every > 0) return frame % eyes_every == 0;
    return std::find(eyes_frames.begin(), eyes_frames.end(), frame) != eyes_frames.end();
}

Script read_script(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error(path + ": cannot be opened");
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    const auto resolve = [&](const std::string& name) { return (folder / name).string(); };
    Script script;
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        Words words(line);
        if (words.empty()) continue;
        try {
            read_line(words, script, resolve);
        } catch (const Fault& fault) {
            throw std::runtime_error(path + ":" + std::to_string(number) + ": " + fault.what());
        }
    }
    return script;
}

Script default_script() {
    Script script;
    for (const std::size_t side : {0U, 1U}) script.hands[side] = built_in_motion("tap", side == 1, kDefaultTarget);
    return script;
}

}  // namespace glovebox::tests::runtime
