#include "vr/layer/overlay.h"

#include <algorithm>
#include <array>
#include <exception>
#include <utility>

#include "vr/layer/instance.h"
#include "vr/platform/platform.h"

namespace glovebox::vr::layer {
namespace {

using tracking::HandFrame;
using tracking::Side;

constexpr std::int64_t kPoll_ns = 3'000'000;       // polling interval; the shortest period of a display is 7 ms
constexpr std::int64_t kPicture_ns = 200'000'000;  // from one picture to the next
constexpr XrTime kHandLost_ns = 50'000'000;        // a hand not located for longer than this counts as absent
constexpr std::size_t kMaxLayers = 64;

bool is_loss(XrResult result) {
    return result == XR_ERROR_SESSION_LOST || result == XR_ERROR_INSTANCE_LOST;
}

std::string text_of(const Instance& instance, XrResult result) {
    std::array<char, XR_MAX_RESULT_STRING_SIZE> name{};
    if (instance.next.result_to_string(instance.handle, result, name.data()) < 0) return std::to_string(result);
    return name.data();
}

}  // namespace

Overlay::Overlay(const Instance& instance, XrSession session, const void* chain, Options options)
    : instance_(instance),
      session_(session),
      options_(std::move(options)),
      quad_(instance.next, session, chain),
      kept_(options_.picture.empty() ? nullptr : std::make_unique<OverlayPicture>()),
      thread_([this] { run(); }) {}

Overlay::~Overlay() {
    stop();
}

void Overlay::stop() {
    ending_ = true;
    if (thread_.joinable()) thread_.join();
}

void Overlay::close() {
    stop();
    quad_.close();
    if (kept_ == nullptr || quad_.shown() == 0) return;
    try {
        write_png(*kept_, options_.picture);
    } catch (const std::exception& error) {
        instance_.print_message(error.what());
    }
}

void Overlay::disable(const std::string& why) {
    if (!disabled_.exchange(true)) instance_.print_message(why + "; no panel is shown");
}

void Overlay::hand(const HandFrame& hand, XrTime time) noexcept {
    // If two threads locate one hand at the same time, one of the two is dropped.
    if (writing_[hand.side].test_and_set(std::memory_order_acquire)) return;
    Seen seen{};
    seen.time = time;
    seen.active = hand.active;
    if (hand.active) recordings::pack_joints(hand, seen.joints);
    seen_[hand.side].publish(seen);
    writing_[hand.side].clear(std::memory_order_release);
}

bool Overlay::read(Side side, XrTime displayed, HandFrame& out) const noexcept {
    Seen seen;
    if (!seen_[side].read(seen) || !seen.active || displayed - seen.time > kHandLost_ns ||
        seen.time - displayed > kHandLost_ns)
        return false;
    return recordings::unpack_joints(seen.joints, out);
}

void Overlay::run() noexcept {
    try {
        run_scene();
    } catch (const std::exception& error) {
        disable(error.what());
    }
}

void Overlay::run_scene() {
    const std::unique_ptr<OverlayScene> scene = open_overlay_scene(options_.scene);
    const OverlayPainter painter;
    SceneFacts facts;
    tracking::HandPair hands;
    XrTime first = 0, last = 0;
    std::uint64_t number = 0;
    std::int64_t drawn_ns = 0;
    while (!ending_ && !disabled_) {
        sleep_until_ns(now_ns() + kPoll_ns);
        const XrTime displayed = displayed_.load(std::memory_order_acquire);
        if (displayed > last) {
            if (first == 0) first = displayed;
            hands.time_ns = displayed - first;
            for (const Side side : tracking::kSides) {
                HandFrame& hand = hands[side];
                hand.side = side;
                hand.source = tracking::Source::live;
                hand.active = read(side, displayed, hand);
                hand.times = {hands.time_ns, hands.time_ns, hands.time_ns};
            }
            scene->frame(hands, last == 0 ? 0.0 : 1e-9 * static_cast<double>(displayed - last));
            last = displayed;
        }
        if (last == 0 || now_ns() - drawn_ns < kPicture_ns) continue;
        drawn_ns = now_ns();
        scene->facts(facts);
        OverlayPicture& picture = pictures_.back();
        painter.draw(facts, ledger_.facts(), picture);
        picture.hash_slices();
        picture.number = ++number;
        pictures_.publish();
    }
}

// Returns true if there is a picture to show and the frame has room for another layer. Uploads part of a new picture.
bool Overlay::prepare(const XrFrameEndInfo& info) {
    if (info.layerCount >= std::min<std::size_t>(options_.max_layers, kMaxLayers)) {
        if (!std::exchange(reported_layers_, true))
            instance_.print_message("a frame of the application has " + std::to_string(info.layerCount) +
                                    " layers, and the runtime takes " + std::to_string(options_.max_layers) +
                                    "; such frames are without panel");
        return false;
    }
    if (front_ == nullptr || front_->number == quad_.shown()) front_ = &pictures_.front();
    if (front_->number != quad_.shown()) {
        if (const XrResult result = quad_.upload(*front_); result < 0)
            disable("the runtime takes no picture of the panel: " + text_of(instance_, result));
        if (kept_ != nullptr && front_->number == quad_.shown()) *kept_ = *front_;
    }
    return quad_.shown() != 0 && !disabled_;
}

XrResult Overlay::end_frame(const XrFrameEndInfo* info, XrSpace view, std::int64_t now_ns) {
    const auto end = instance_.next.end_frame;
    const auto alone = [&] { return end(session_, info); };
    if (info == nullptr || info->type != XR_TYPE_FRAME_END_INFO) return alone();
    ledger_.ended(info->displayTime, now_ns);
    displayed_.store(info->displayTime, std::memory_order_release);
    if (disabled_ || view == XR_NULL_HANDLE || info->layerCount == 0 || info->layers == nullptr ||
        ending_frame_.test_and_set(std::memory_order_acquire))
        return alone();
    XrResult result = XR_SUCCESS;
    if (prepare(*info)) {
        const XrCompositionLayerQuad quad = quad_.layer(view);
        std::array<const XrCompositionLayerBaseHeader*, kMaxLayers> layers;
        *std::copy_n(info->layers, info->layerCount, layers.begin()) =
            reinterpret_cast<const XrCompositionLayerBaseHeader*>(&quad);
        XrFrameEndInfo with = *info;
        with.layerCount = info->layerCount + 1;
        with.layers = layers.data();
        result = end(session_, &with);
        if (is_loss(result)) {
            disable("the session is lost");
        } else if (result < 0) {
            // Retry without the quad: if that succeeds, the quad was at fault.
            const XrResult refused = std::exchange(result, alone());
            if (result >= 0) disable("the runtime refuses the panel's quad: " + text_of(instance_, refused));
        }
    } else {
        result = alone();
    }
    ending_frame_.clear(std::memory_order_release);
    return result;
}

}  // namespace glovebox::vr::layer
