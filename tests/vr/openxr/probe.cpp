// Drives the headset link by itself, as the application does but with no scene: what the tests of states and faults
// run.
//
//   openxr_probe [--frames N] [--seconds S] [--report slow]
//
// Prints one line for each change of the link and of the hands, and a summary. Holds fingers and vibrates while a hand
// is below 1.1 m. With `--report slow`, another thread makes a haptic call during each report of earlier ones.
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "vr/openxr/haptic_outputs.h"

namespace {

using namespace glovebox;
using vr::openxr::Headset;
using vr::openxr::Phase;

volatile std::sig_atomic_t interrupted = 0;

std::int64_t now_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

vr::HapticCommand felt(const tracking::HandFrame& hand, std::int64_t at_ns) {
    vr::HapticCommand command;
    command.time_ns = at_ns;
    command.side = hand.side;
    const float height_m = hand[tracking::Joint::wrist].position_m.y() + 1.5F;  // LOCAL is at the head's height
    command.stop = !hand.active;
    if (hand.active && height_m < 1.25F)
        for (auto& finger : command.parts) finger = {0.5F, 0.25F};
    return command;
}

struct Seen {
    Phase phase = Phase::closing;
    std::string trouble;
    std::array<int, 2> hands = {-1, -1};
};

void say_changes(const Headset& headset, const tracking::HandPair& pair, int frame, Seen& seen) {
    const auto& status = headset.status();
    if (status.phase != seen.phase) std::printf("%d phase %s\n", frame, std::string(name_of(status.phase)).c_str());
    if (status.trouble != seen.trouble) std::printf("%d trouble %s\n", frame, status.trouble.c_str());
    seen.phase = status.phase;
    seen.trouble = status.trouble;
    for (std::size_t i = 0; i < 2; ++i) {
        const int now = pair.hands[i].active ? 1 + static_cast<int>(pair.hands[i].source) : 0;
        if (now != seen.hands[i])
            std::printf("%d hand %zu %s\n", frame, i,
                        now == 0 ? "gone" : std::string(name_of(pair.hands[i].source)).c_str());
        seen.hands[i] = now;
    }
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    int frames = 100;
    double seconds = 6.0;
    bool slow_report = false;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (std::string(argv[i]) == "--frames") frames = std::atoi(argv[i + 1]);
        if (std::string(argv[i]) == "--seconds") seconds = std::atof(argv[i + 1]);
        if (std::string(argv[i]) == "--report") slow_report = std::string(argv[i + 1]) == "slow";
    }
    std::signal(SIGINT, [](int) { interrupted = 1; });

    vr::openxr::HeadsetSettings settings;
    settings.headless = true;
    settings.retry_ns = 100'000'000;
    Headset* link = nullptr;
    int reported = 0;
    if (slow_report)
        settings.on_haptics = [&](const vr::openxr::ReportedHand& hand) {
            const tracking::Side side = hand.side;
            if (++reported <= 20) std::thread([&] { link->stop_vibration(side); }).join();
        };
    Headset headset(settings);
    link = &headset;
    vr::openxr::HapticSender haptics(headset);
    Seen seen;
    tracking::HandPair hands, predicted;
    const std::int64_t start_ns = now_ns();
    std::int64_t next_ns = start_ns, oldest_ns = 0;
    float ahead_m = 0.0F;  // the most that a wrist was predicted to go
    int made = 0, updates = 0;
    while (made < frames && interrupted == 0 && 1e-9 * static_cast<double>(now_ns() - start_ns) < seconds) {
        headset.update(now_ns());
        ++updates;
        if (headset.status().phase == Phase::closing) break;
        if (!headset.focused()) haptics.stop_all(now_ns());
        const auto frame = headset.running() ? headset.begin_frame(now_ns()) : std::nullopt;
        if (frame) {
            headset.sample_hands(*frame, now_ns(), hands);
            headset.predict_hands(*frame, hands, predicted);
            const auto right_wrist = [](const tracking::HandPair& pair) {
                return pair[tracking::Side::right][tracking::Joint::wrist].position_m;
            };
            if (hands[tracking::Side::right].active)
                ahead_m = std::max(ahead_m, (right_wrist(predicted) - right_wrist(hands)).norm());
            for (const auto& hand : hands.hands) haptics.send(felt(hand, now_ns()));
            headset.end_frame(*frame, {});
            for (const auto& hand : hands.hands) oldest_ns = std::max(oldest_ns, now_ns() - hand.times.common_ns);
            ++made;
        } else {
            for (auto& hand : hands.hands) hand.active = false;
        }
        say_changes(headset, hands, made, seen);
        next_ns = std::max(next_ns + 4'000'000, now_ns() - 100'000'000);
        std::this_thread::sleep_for(std::chrono::nanoseconds(std::max<std::int64_t>(next_ns - now_ns(), 1'000'000)));
    }
    haptics.stop_all(now_ns(), true);
    const auto& status = headset.status();
    std::printf("summary frames %d updates %d attached %d sessions_lost %d instances_lost %d recentered %d sent %llu\n",
                made, updates, status.attached, status.sessions_lost, status.instances_lost, status.recentered,
                static_cast<unsigned long long>(haptics.sent()));
    std::printf("left %s right %s rate %.0f age_ms %.3f ahead_mm %.2f\n", status.controllers[0].c_str(),
                status.controllers[1].c_str(), static_cast<double>(status.refresh_hz),
                1e-6 * static_cast<double>(oldest_ns), 1e3 * static_cast<double>(ahead_m));
    for (const std::string& note : status.notes) std::printf("note %s\n", note.c_str());
    if (slow_report) std::printf("reported %d\n", reported);
    headset.close(1'000'000'000, now_ns);
    return 0;
}
