#include <algorithm>
#include <cstring>
#include <filesystem>
#include <thread>
#include <utility>

#include "tests/runtime/functions.h"
#include "tests/runtime/graphics.h"

namespace glovebox::tests::runtime {
namespace {

XrTime period_ns() {
    return static_cast<XrTime>(1e9 / runtime().script.rate_hz);
}

XrResult look_up_running(XrSession handle, Session*& session) {
    if (const XrResult result = look_up(handle, session); result < 0) return result;
    return session->running ? XR_SUCCESS : refuse(XR_ERROR_SESSION_NOT_RUNNING, "the session is not running");
}

// Sleeps with the lock released, so that other threads can call the runtime meanwhile.
void sleep_until(XrTime time) {
    Runtime& r = runtime();
    r.mutex.unlock();
    const XrTime left = time - now();
    if (left > 0) std::this_thread::sleep_for(std::chrono::nanoseconds(left));
    r.mutex.lock();
}

XrResult check_sub_image(const XrSwapchainSubImage& part, const char* whose) {
    const auto* swapchain = runtime().find<Swapchain>(number_of(part.swapchain));
    if (swapchain == nullptr) return refuse(XR_ERROR_HANDLE_INVALID, whose);
    if (swapchain->last_released < 0)
        return refuse(XR_ERROR_LAYER_INVALID, "a layer shows a swapchain of which no image was ever released");
    const XrRect2Di& rect = part.imageRect;
    if (rect.offset.x < 0 || rect.offset.y < 0 || rect.extent.width <= 0 || rect.extent.height <= 0 ||
        rect.offset.x + rect.extent.width > static_cast<int>(swapchain->width) ||
        rect.offset.y + rect.extent.height > static_cast<int>(swapchain->height))
        return refuse(XR_ERROR_SWAPCHAIN_RECT_INVALID, "a layer's rectangle leaves its image");
    if (part.imageArrayIndex >= swapchain->layers) return refuse(XR_ERROR_VALIDATION_FAILURE, "no such array layer");
    return XR_SUCCESS;
}

XrResult check_depth(const XrCompositionLayerDepthInfoKHR& depth) {
    if (const XrResult result = check_sub_image(depth.subImage, "depth swapchain"); result < 0) return result;
    if (!is_depth_format(runtime().find<Swapchain>(number_of(depth.subImage.swapchain))->format))
        return refuse(XR_ERROR_LAYER_INVALID, "depth that is no depth format");
    if (depth.minDepth < 0 || depth.maxDepth > 1 || depth.minDepth > depth.maxDepth || depth.nearZ < 0 ||
        depth.farZ < 0 || depth.nearZ == depth.farZ)
        return refuse(XR_ERROR_VALIDATION_FAILURE, "depth range");
    return XR_SUCCESS;
}

XrResult check_projection(const XrCompositionLayerProjection& layer) {
    if (layer.viewCount != 2 || layer.views == nullptr)
        return refuse(XR_ERROR_VALIDATION_FAILURE, "a projection layer needs a view for each eye");
    for (std::uint32_t i = 0; i < 2; ++i) {
        const XrCompositionLayerProjectionView& view = layer.views[i];
        GLOVEBOX_REQUIRE_TYPE(&view, XR_TYPE_COMPOSITION_LAYER_PROJECTION_VIEW);
        if (!is_unit(view.pose.orientation)) return refuse(XR_ERROR_POSE_INVALID, "an eye's orientation is not unit");
        if (view.fov.angleLeft == view.fov.angleRight || view.fov.angleDown == view.fov.angleUp)
            return refuse(XR_ERROR_VALIDATION_FAILURE, "an eye's field of view is empty");
        if (const XrResult result = check_sub_image(view.subImage, "eye swapchain"); result < 0) return result;
        if (const auto* depth =
                in_chain<XrCompositionLayerDepthInfoKHR>(view.next, XR_TYPE_COMPOSITION_LAYER_DEPTH_INFO_KHR))
            if (const XrResult result = check_depth(*depth); result < 0) return result;
    }
    return XR_SUCCESS;
}

XrResult check_layer(const XrCompositionLayerBaseHeader* layer) {
    if (layer == nullptr) return refuse(XR_ERROR_LAYER_INVALID, "a null layer");
    if (runtime().find<Space>(number_of(layer->space)) == nullptr)
        return refuse(XR_ERROR_HANDLE_INVALID, "layer space");
    if (layer->type == XR_TYPE_COMPOSITION_LAYER_PROJECTION)
        return check_projection(*reinterpret_cast<const XrCompositionLayerProjection*>(layer));
    if (layer->type == XR_TYPE_COMPOSITION_LAYER_QUAD) {
        const auto& quad = *reinterpret_cast<const XrCompositionLayerQuad*>(layer);
        if (!is_unit(quad.pose.orientation)) return refuse(XR_ERROR_POSE_INVALID, "a quad's orientation is not unit");
        return check_sub_image(quad.subImage, "quad swapchain");
    }
    return refuse(XR_ERROR_LAYER_INVALID, "only projection and quad layers");
}

void save_eyes(Session& session, const XrFrameEndInfo& frame) {
    Runtime& r = runtime();
    std::filesystem::create_directories(r.script.eyes_folder);
    for (const std::size_t eye : {0U, 1U}) {
        char name[64];
        std::snprintf(name, sizeof name, "/eye_%s_%06d.png", eye == 0 ? "left" : "right", r.frame);
        write_png(r.script.eyes_folder + name, compose(*session.graphics, eye, frame));
        ++r.pictures;
    }
    if (!r.script.quads) return;
    for (std::uint32_t i = 0; i < frame.layerCount; ++i) {
        if (frame.layers[i]->type != XR_TYPE_COMPOSITION_LAYER_QUAD) continue;
        const auto& part = reinterpret_cast<const XrCompositionLayerQuad*>(frame.layers[i])->subImage;
        char name[64];
        std::snprintf(name, sizeof name, "/quad_%u_%06d.png", i, r.frame);
        write_png(r.script.eyes_folder + name,
                  read_back(*session.graphics, *r.find<Swapchain>(number_of(part.swapchain)), part));
    }
}

std::vector<double> offered_rates() {
    const Script& script = runtime().script;
    return script.rates_hz.empty() ? std::vector<double>{script.rate_hz} : script.rates_hz;
}

}  // namespace

XrResult create_session(XrInstance handle, const XrSessionCreateInfo* info, XrSession* out) {
    Runtime& r = runtime();
    Instance* instance = nullptr;
    if (const XrResult result = look_up(handle, instance); result < 0) return result;
    GLOVEBOX_REQUIRE_TYPE(info, XR_TYPE_SESSION_CREATE_INFO);
    if (info->systemId != 1) return refuse(XR_ERROR_SYSTEM_INVALID, "no such system");
    if (instance->session != 0) return refuse(XR_ERROR_LIMIT_REACHED, "one session at a time");
    std::shared_ptr<Graphics> graphics;
    if (info->next == nullptr) {
        if (!instance->has(XR_MND_HEADLESS_EXTENSION_NAME))
            return refuse(XR_ERROR_GRAPHICS_DEVICE_INVALID, "no graphics binding and XR_MND_headless is not enabled");
    } else {
        const bool is_vulkan = in_chain<XrBaseInStructure>(info->next, XR_TYPE_GRAPHICS_BINDING_VULKAN_KHR) != nullptr;
        if (!instance->has(is_vulkan ? "XR_KHR_vulkan_enable2" : "XR_KHR_opengl_enable"))
            return refuse(XR_ERROR_GRAPHICS_DEVICE_INVALID, "the binding's extension is not enabled");
        if (!instance->graphics_requirements_asked)
            return refuse(XR_ERROR_GRAPHICS_REQUIREMENTS_CALL_MISSING, "ask for the graphics requirements first");
        std::string fault;
        graphics = bind_graphics(*info, fault);
        if (graphics == nullptr) return refuse(XR_ERROR_GRAPHICS_DEVICE_INVALID, fault.c_str());
    }
    Session& session = r.make<Session>(instance->handle);
    session.graphics = std::move(graphics);
    instance->session = session.handle;
    r.write_log("session made %s", session.graphics == nullptr    ? "headless"
                                   : is_vulkan(*session.graphics) ? "with Vulkan"
                                                                  : "with OpenGL");
    r.set_state(session, XR_SESSION_STATE_IDLE);
    r.set_state(session, XR_SESSION_STATE_READY);
    *out = handle_of<XrSession>(session);
    return XR_SUCCESS;
}

XrResult destroy_session(XrSession handle) {
    Runtime& r = runtime();
    auto* session = r.find<Session>(number_of(handle));  // lost sessions can be destroyed too
    if (session == nullptr) return refuse(XR_ERROR_HANDLE_INVALID, "no such session");
    Instance& instance = *r.instance_of(*session);
    instance.session = 0;
    std::erase_if(instance.events, [](const XrEventDataBuffer& e) {
        return e.type != XR_TYPE_EVENT_DATA_INSTANCE_LOSS_PENDING;  // all other events concern the session
    });
    for (HandNow& hand : r.hands) hand.vibrating_until = 0;
    r.write_log("session destroyed");
    std::vector<std::uint64_t> swapchains;
    for (const auto& [other, object] : r.objects)
        if (object->parent == session->handle && dynamic_cast<Swapchain*>(object.get()) != nullptr)
            swapchains.push_back(other);
    for (const std::uint64_t swapchain : swapchains) {
        drop_textures(*session->graphics, r.find<Swapchain>(swapchain)->textures);
        r.destroy(swapchain);
    }
    if (r.script.stale_events)
        r.push(instance, packed(XrEventDataSessionStateChanged{XR_TYPE_EVENT_DATA_SESSION_STATE_CHANGED, nullptr,
                                                               handle, XR_SESSION_STATE_EXITING, now()}));
    r.destroy(session->handle);
    return XR_SUCCESS;
}

XrResult begin_session(XrSession handle, const XrSessionBeginInfo* info) {
    Runtime& r = runtime();
    Session* session = nullptr;
    if (const XrResult result = look_up(handle, session); result < 0) return result;
    GLOVEBOX_REQUIRE_TYPE(info, XR_TYPE_SESSION_BEGIN_INFO);
    if (session->running) return refuse(XR_ERROR_SESSION_RUNNING, "the session runs already");
    if (session->state != XR_SESSION_STATE_READY) return refuse(XR_ERROR_SESSION_NOT_READY, "the session is not READY");
    if (session->graphics != nullptr && info->primaryViewConfigurationType != XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO)
        return refuse(XR_ERROR_VIEW_CONFIGURATION_TYPE_UNSUPPORTED, "the only view configuration is stereo");
    if (r.script.begin_fails > 0) {
        --r.script.begin_fails;
        return XR_ERROR_RUNTIME_FAILURE;
    }
    session->running = true;
    session->frames_waited = session->frames_begun = session->frames_ended = 0;
    session->last_slot = 0;
    r.set_state(*session, XR_SESSION_STATE_SYNCHRONIZED);
    // Without graphics there is no first frame to wait for.
    if (session->graphics == nullptr) r.go(*session, session->wanted);
    return XR_SUCCESS;
}

XrResult end_session(XrSession handle) {
    Runtime& r = runtime();
    Session* session = nullptr;
    if (const XrResult result = look_up_running(handle, session); result < 0) return result;
    if (session->state != XR_SESSION_STATE_STOPPING)
        return refuse(XR_ERROR_SESSION_NOT_STOPPING, "the session is not STOPPING");
    session->running = false;
    r.set_state(*session, XR_SESSION_STATE_IDLE);
    if (session->exit_wanted)
        r.set_state(*session, XR_SESSION_STATE_EXITING);
    else
        session->ready_at += now();
    return XR_SUCCESS;
}

XrResult request_exit_session(XrSession handle) {
    Session* session = nullptr;
    if (const XrResult result = look_up_running(handle, session); result < 0) return result;
    session->exit_wanted = true;
    runtime().go(*session, XR_SESSION_STATE_SYNCHRONIZED);
    if (session->state != XR_SESSION_STATE_STOPPING) runtime().set_state(*session, XR_SESSION_STATE_STOPPING);
    return XR_SUCCESS;
}

bool ignores_frames(const Session& session) {
    return session.graphics == nullptr && runtime().script.headless_frames == Script::HeadlessFrames::ignore;
}

XrResult count_frame(XrSession handle, Session*& session) {
    Runtime& r = runtime();
    ++r.frame;
    r.run_events(true);
    if (const XrResult result = look_up(handle, session); result < 0) return result;
    if (r.stall_s > 0.0) {
        const double stall_s = std::exchange(r.stall_s, 0.0);
        sleep_until(now() + static_cast<XrTime>(1e9 * stall_s));
        if (const XrResult result = look_up(handle, session); result < 0) return result;
    }
    return XR_SUCCESS;
}

XrResult wait_frame(XrSession handle, const XrFrameWaitInfo* info, XrFrameState* out) {
    Runtime& r = runtime();
    Session* session = nullptr;
    if (const XrResult result = look_up_running(handle, session); result < 0) return result;
    if (info != nullptr) GLOVEBOX_REQUIRE_TYPE(info, XR_TYPE_FRAME_WAIT_INFO);
    GLOVEBOX_REQUIRE_TYPE(out, XR_TYPE_FRAME_STATE);
    if (session->frames_waited > session->frames_begun)
        return refuse(XR_ERROR_CALL_ORDER_INVALID,
                      "xrWaitFrame twice without xrBeginFrame; a real runtime blocks here");
    if (ignores_frames(*session)) {
        out->predictedDisplayTime = out->predictedDisplayPeriod = 0;
        out->shouldRender = XR_FALSE;
        return XR_SUCCESS;
    }
    if (const XrResult result = count_frame(handle, session); result < 0) return result;
    const XrTime period = period_ns();
    XrTime display = now() + period;
    XrTime stated = period;
    if (session->graphics != nullptr || r.script.pace_headless) {
        // Frames begin on a fixed grid; an application that is late misses the slots between.
        const XrTime slot = (now() - r.started) / period + 1;
        const XrTime next = std::max(slot, session->last_slot + 1);
        if (session->last_slot != 0 && next > session->last_slot + 1) {
            const auto missed = static_cast<int>(next - session->last_slot - 1);
            r.frames_missed += missed;
            r.write_log("missed %d frames before frame %d", missed, r.frame);
        }
        if (r.script.stretches && session->last_slot != 0) stated = (next - session->last_slot) * period;
        session->last_slot = next;
        sleep_until(r.started + next * period);
        if (const XrResult result = look_up(handle, session); result < 0) return result;
        display = r.started + (next + 1) * period;
    }
    ++session->frames_waited;
    session->display_time = display;
    r.sampled_at = now();
    out->predictedDisplayTime = display;
    out->predictedDisplayPeriod = stated;
    out->shouldRender = session->graphics != nullptr && session->state >= XR_SESSION_STATE_VISIBLE &&
                        session->state <= XR_SESSION_STATE_FOCUSED;
    return XR_SUCCESS;
}

XrResult begin_frame(XrSession handle, const XrFrameBeginInfo* info) {
    Session* session = nullptr;
    if (const XrResult result = look_up_running(handle, session); result < 0) return result;
    if (info != nullptr) GLOVEBOX_REQUIRE_TYPE(info, XR_TYPE_FRAME_BEGIN_INFO);
    if (ignores_frames(*session)) return XR_SUCCESS;
    if (session->graphics == nullptr && runtime().script.headless_frames == Script::HeadlessFrames::refuse)
        return refuse(XR_ERROR_CALL_ORDER_INVALID, "xrBeginFrame in a headless session");
    if (session->frames_begun == session->frames_waited)
        return refuse(XR_ERROR_CALL_ORDER_INVALID, "xrBeginFrame without xrWaitFrame");
    const bool discarded = session->frames_begun > session->frames_ended;
    ++session->frames_begun;
    if (discarded) {
        session->frames_ended = session->frames_begun - 1;
        return XR_FRAME_DISCARDED;
    }
    return XR_SUCCESS;
}

XrResult end_frame(XrSession handle, const XrFrameEndInfo* info) {
    Runtime& r = runtime();
    Session* session = nullptr;
    if (const XrResult result = look_up_running(handle, session); result < 0) return result;
    GLOVEBOX_REQUIRE_TYPE(info, XR_TYPE_FRAME_END_INFO);
    if (ignores_frames(*session)) return XR_SUCCESS;
    if (session->frames_ended == session->frames_begun)
        return refuse(XR_ERROR_CALL_ORDER_INVALID, "xrEndFrame without xrBeginFrame");
    if (info->displayTime <= 0) return refuse(XR_ERROR_TIME_INVALID, "xrEndFrame's time");
    const std::vector<XrEnvironmentBlendMode>& modes = runtime().script.blend_modes;
    if (std::find(modes.begin(), modes.end(), info->environmentBlendMode) == modes.end())
        return refuse(XR_ERROR_ENVIRONMENT_BLEND_MODE_UNSUPPORTED, "not one of the listed blend modes");
    if (info->layerCount > 0 && session->graphics == nullptr)
        return refuse(XR_ERROR_VALIDATION_FAILURE, "layers in a headless session");
    if (info->layerCount > static_cast<std::uint32_t>(r.script.most_layers))
        return refuse(XR_ERROR_LAYER_LIMIT_EXCEEDED, "too many layers");
    if (info->layerCount > 0 && info->layers == nullptr) return refuse(XR_ERROR_LAYER_INVALID, "no layers");
    for (std::uint32_t i = 0; i < info->layerCount; ++i)
        if (const XrResult result = check_layer(info->layers[i]); result < 0) return result;
    ++session->frames_ended;
    if (session->graphics != nullptr && info->layerCount > 0 && r.script.eyes_frame(r.frame))
        save_eyes(*session, *info);
    if (session->state == XR_SESSION_STATE_SYNCHRONIZED && session->frames_ended == 1) r.go(*session, session->wanted);
    return XR_SUCCESS;
}

XrResult locate_views(XrSession handle, const XrViewLocateInfo* info, XrViewState* state, std::uint32_t capacity,
                      std::uint32_t* count, XrView* out) {
    Session* session = nullptr;
    if (const XrResult result = look_up(handle, session); result < 0) return result;
    GLOVEBOX_REQUIRE_TYPE(info, XR_TYPE_VIEW_LOCATE_INFO);
    GLOVEBOX_REQUIRE_TYPE(state, XR_TYPE_VIEW_STATE);
    if (info->displayTime <= 0) return refuse(XR_ERROR_TIME_INVALID, "xrLocateViews' time");
    Space* space = nullptr;
    if (const XrResult result = look_up(info->space, space); result < 0) return result;
    for (std::uint32_t i = 0; i < std::min(capacity, 2U); ++i) GLOVEBOX_REQUIRE_TYPE(&out[i], XR_TYPE_VIEW);
    XrSpaceLocationFlags flags = 0;
    const XrPosef space_from_stage = inverse(stage_from_space(*space, info->displayTime, flags));
    state->viewStateFlags = XR_VIEW_STATE_ORIENTATION_VALID_BIT | XR_VIEW_STATE_POSITION_VALID_BIT |
                            XR_VIEW_STATE_ORIENTATION_TRACKED_BIT | XR_VIEW_STATE_POSITION_TRACKED_BIT;
    return fill(capacity, count, 2, [&](std::size_t eye) {
        out[eye].pose = space_from_stage * stage_from_eye(eye);
        out[eye].fov = eye_fov(eye);
    });
}

XrResult enumerate_display_refresh_rates(XrSession handle, std::uint32_t capacity, std::uint32_t* count, float* out) {
    Session* session = nullptr;
    if (const XrResult result = look_up(handle, session); result < 0) return result;
    const std::vector<double> rates = offered_rates();
    return fill(capacity, count, rates.size(), [&](std::size_t i) { out[i] = static_cast<float>(rates[i]); });
}

XrResult get_display_refresh_rate(XrSession handle, float* out) {
    Session* session = nullptr;
    if (const XrResult result = look_up(handle, session); result < 0) return result;
    *out = static_cast<float>(runtime().script.rate_hz);
    return XR_SUCCESS;
}

XrResult request_display_refresh_rate(XrSession handle, float rate) {
    Session* session = nullptr;
    if (const XrResult result = look_up(handle, session); result < 0) return result;
    if (rate == 0.0F) return XR_SUCCESS;
    for (const double known_hz : offered_rates()) {
        if (static_cast<float>(known_hz) != rate) continue;
        Runtime& r = runtime();
        const XrEventDataDisplayRefreshRateChangedFB changed{XR_TYPE_EVENT_DATA_DISPLAY_REFRESH_RATE_CHANGED_FB,
                                                             nullptr, static_cast<float>(r.script.rate_hz), rate};
        r.script.rate_hz = known_hz;
        r.write_log("display rate %.0f", known_hz);
        r.push(*r.instance_of(*session), packed(changed));
        return XR_SUCCESS;
    }
    return refuse(XR_ERROR_DISPLAY_REFRESH_RATE_UNSUPPORTED_FB, "not one of the listed rates");
}

}  // namespace glovebox::tests::runtime
