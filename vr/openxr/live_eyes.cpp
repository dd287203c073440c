#include "vr/openxr/live_eyes.h"

#include <epoxy/gl.h>
// epoxy comes first: it stands in for GL/gl.h and GL/glx.h.
#include <epoxy/egl.h>
#include <epoxy/glx.h>
#define XR_USE_PLATFORM_XLIB
#define XR_USE_PLATFORM_EGL
#define XR_USE_GRAPHICS_API_OPENGL
#include <SDL.h>
#include <imgui.h>
#include <openxr/openxr_platform.h>

#include <cmath>
#include <optional>
#include <stdexcept>
#include <vector>

#include "tracking/openxr/hand_joints.h"
#include "vr/openxr/xr.h"
#include "vr/platform/platform.h"
#include "vr/render/gl.h"
#include "vr/render/gl_context.h"
#include "vr/render/quality_tier.h"
#include "vr/render/renderer.h"
#include "vr/render/skin_library.h"
#include "vr/ui/poke.h"
#include "vr/ui/ui.h"

namespace glovebox::vr {
namespace {

using openxr::made;

// The interface at scale 2; only the panel's part of this picture is shown in the headset.
constexpr float kUiScale = 2.0F;
constexpr int kUiWidth_px = 1600, kUiHeight_px = 1440;
constexpr float kPanelHeight_m = 0.32F;
constexpr float kEyeNear_m = 0.03F, kEyeFar_m = 30.0F;
constexpr float kMirrorShare = 0.6F;  // of the eye's picture, about where it looks: its rim is empty and far off

// The panel and the mirror are redrawn less often than the eyes, whose time they take.
constexpr std::int64_t kPanelEvery_ns = 33'000'000;
constexpr std::int64_t kSoftwarePanelEvery_ns = 200'000'000;  // with software rendering

/// Images of a session that we may draw into.
struct Swapchain {
    XrSwapchain handle = XR_NULL_HANDLE;
    std::vector<std::uint32_t> textures;
    int width = 0, height = 0;
    std::uint32_t index = 0;
    bool acquired = false, ready = false;  // the image of that index

    XrResult make(XrSession session, std::int64_t format, XrSwapchainUsageFlags usage, int width_px, int height_px) {
        auto info = made<XrSwapchainCreateInfo>(XR_TYPE_SWAPCHAIN_CREATE_INFO);
        info.usageFlags = usage;
        info.format = format;
        info.sampleCount = info.faceCount = info.arraySize = info.mipCount = 1;
        info.width = static_cast<std::uint32_t>(width_px);
        info.height = static_cast<std::uint32_t>(height_px);
        if (const XrResult result = xrCreateSwapchain(session, &info, &handle); XR_FAILED(result)) return result;
        std::uint32_t count = 0;
        if (const XrResult result = xrEnumerateSwapchainImages(handle, 0, &count, nullptr); XR_FAILED(result))
            return result;
        std::vector<XrSwapchainImageOpenGLKHR> images(
            count, made<XrSwapchainImageOpenGLKHR>(XR_TYPE_SWAPCHAIN_IMAGE_OPENGL_KHR));
        void* first = images.data();
        if (const XrResult result =
                xrEnumerateSwapchainImages(handle, count, &count, static_cast<XrSwapchainImageBaseHeader*>(first));
            XR_FAILED(result))
            return result;
        textures.clear();
        for (const auto& image : images) textures.push_back(image.image);
        width = width_px;
        height = height_px;
        return XR_SUCCESS;
    }

    /// While its session lives; with a session its swapchains go by themselves.
    void destroy() {
        if (handle != XR_NULL_HANDLE) xrDestroySwapchain(handle);
        *this = {};
    }

    /// The texture to draw into now. An image that is late stays acquired and is waited for again the next time.
    std::optional<std::uint32_t> acquire(openxr::Headset& headset) {
        if (handle == XR_NULL_HANDLE || headset.session() == XR_NULL_HANDLE) return {};
        if (!acquired)
            acquired = headset.check(xrAcquireSwapchainImage(handle, nullptr, &index), "xrAcquireSwapchainImage");
        if (acquired && !ready) {
            auto wait = made<XrSwapchainImageWaitInfo>(XR_TYPE_SWAPCHAIN_IMAGE_WAIT_INFO);
            wait.timeout = 100'000'000;  // bounded, in case the compositor hangs
            const XrResult result = xrWaitSwapchainImage(handle, &wait);
            ready = headset.check(result, "xrWaitSwapchainImage") && result == XR_SUCCESS;
        }
        return ready ? std::optional(textures[index]) : std::nullopt;
    }
    bool release(openxr::Headset& headset) {
        acquired = ready = false;
        return headset.session() != XR_NULL_HANDLE &&
               headset.check(xrReleaseSwapchainImage(handle, nullptr), "xrReleaseSwapchainImage");
    }

    XrSwapchainSubImage part(int x, int y, int part_width, int part_height) const {
        return {handle, {{x, y}, {part_width, part_height}}, 0};
    }
    XrSwapchainSubImage whole() const { return part(0, 0, width, height); }
};

struct Formats {
    std::int64_t color = 0, depth = 0;
};

/// The multisampled target of an eye, resolved later: without multisampling the edges of fingers flicker. Depth has the
/// swapchain's format, as blitting requires.
struct Samples {
    gl::Framebuffer framebuffer;
    gl::Renderbuffer color, depth;

    Samples(int width, int height, int wanted, std::int64_t depth_format) {
        GLint most = 0;
        glGetIntegerv(GL_MAX_SAMPLES, &most);
        const int samples = std::min(wanted, most);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.id());
        glBindRenderbuffer(GL_RENDERBUFFER, color.id());
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_RGBA8, width, height);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color.id());
        glBindRenderbuffer(GL_RENDERBUFFER, depth.id());
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, static_cast<GLenum>(depth_format), width, height);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth.id());
    }
};

/// The mouse in the mirror. A click that begins and ends between two pictures is still seen.
struct MirrorMouse {
    float x_px = -1.0F, y_px = -1.0F, wheel = 0.0F;
    bool down = false, was_pressed = false;
};

Formats choose_formats(XrSession session) {
    std::uint32_t count = 0;
    xrEnumerateSwapchainFormats(session, 0, &count, nullptr);
    std::vector<std::int64_t> offered(count);
    if (count > 0) xrEnumerateSwapchainFormats(session, count, &count, offered.data());
    const auto first_of = [&offered](std::initializer_list<std::int64_t> wanted) -> std::int64_t {
        for (const std::int64_t format : wanted)
            for (const std::int64_t row : offered)
                if (row == format) return format;
        return 0;
    };
    return {first_of({GL_SRGB8_ALPHA8, GL_SRGB8, GL_RGBA8}),
            first_of({GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT24, GL_DEPTH24_STENCIL8, GL_DEPTH_COMPONENT16})};
}

Eigen::Matrix4f clip_from_view(const XrFovf& fov) {
    const float left = std::tan(fov.angleLeft), right = std::tan(fov.angleRight);
    const float up = std::tan(fov.angleUp), down = std::tan(fov.angleDown);
    Eigen::Matrix4f m = Eigen::Matrix4f::Zero();
    m(0, 0) = 2.0F / (right - left);
    m(0, 2) = (right + left) / (right - left);
    m(1, 1) = 2.0F / (up - down);
    m(1, 2) = (up + down) / (up - down);
    m(2, 2) = -(kEyeFar_m + kEyeNear_m) / (kEyeFar_m - kEyeNear_m);
    m(2, 3) = -2.0F * kEyeFar_m * kEyeNear_m / (kEyeFar_m - kEyeNear_m);
    m(3, 2) = -1.0F;
    return m;
}

}  // namespace

struct LiveEyes::State {
    explicit State(const PictureSize& mirror)
        : context(GlContext::Kind::window, "Glovebox: what the headset shows", mirror.width_px, mirror.height_px) {
        settings.solid_hand = SolidHand::proxy;  // a user's own hand that sinks into objects feels wrong
        settings.panel = PanelShown::shown;
        settings.highlight = true;
    }

    GlContext context;
    XrGraphicsBindingOpenGLXlibKHR glx = made<XrGraphicsBindingOpenGLXlibKHR>(XR_TYPE_GRAPHICS_BINDING_OPENGL_XLIB_KHR);
    XrGraphicsBindingEGLMNDX egl = made<XrGraphicsBindingEGLMNDX>(XR_TYPE_GRAPHICS_BINDING_EGL_MNDX);
    Renderer renderer;
    SkinLibrary skins;
    Ui ui{kUiScale};
    ViewSettings settings;
    ViewCommands commands;
    std::optional<HeadsetButton> press;
    PokeState poke;
    std::vector<PokeButton> buttons;  // in the panel's plane: the large ones, and the panel itself
    struct {
        Eigen::Vector2f at_px = Eigen::Vector2f::Zero();
        bool was_pressed = false;
    } finger;  // on the controls inside the panel

    int session_number = 0;
    bool has_images = false;  // of that session
    bool with_depth = false;
    std::array<Swapchain, 2> eyes, depths;
    Swapchain panel;
    gl::Framebuffer framebuffer;
    std::optional<Samples> samples;
    // The mirror has a copy, because the runtime's images are destroyed with its session.
    gl::Target panel_picture{kUiWidth_px, kUiHeight_px, 0};
    std::optional<gl::Target> eye_picture;
    Eigen::Vector2f eye_axis{0.5F, 0.5F};  // where straight ahead is in it, from its lower left
    MirrorMouse mouse;
    bool panel_shown = false;                        // the session has a picture of it
    std::int64_t panel_at_ns = 0, mirror_at_ns = 0;  // when they were drawn last

    std::array<XrCompositionLayerProjectionView, 2> views{};
    std::array<XrCompositionLayerDepthInfoKHR, 2> depth_infos{};
    XrCompositionLayerProjection projection = made<XrCompositionLayerProjection>(XR_TYPE_COMPOSITION_LAYER_PROJECTION);
    XrCompositionLayerQuad quad = made<XrCompositionLayerQuad>(XR_TYPE_COMPOSITION_LAYER_QUAD);
    std::vector<const XrCompositionLayerBaseHeader*> layers;

    bool due(std::int64_t& last_ns) const;
    RenderQuality eye_quality() const;
    std::string make_swapchains(openxr::Headset& headset);
    void destroy_swapchains();
    bool draw_eye(openxr::Headset& headset, std::size_t eye, const XrView& view,
                  const Eigen::Isometry3f& scene_from_seat, float focus_m);
    void bind_glx();
    void bind_egl();
    void build_panel(const ViewModel& model);
    bool show_panel(openxr::Headset& headset);
    void touch_with(const tracking::HandFrame& right, const Eigen::Isometry3f& scene_from_panel, const Box& box,
                    const ViewModel& model);
    void point(const Box& box);
    void obey(HeadsetButton button, const ViewModel& model);
    Box shown_part(const Box& panel);
    void point_with_mouse(const Box& box);
    void see(const SDL_Event& event);
};

namespace {

Box in_device_px(const Box& box) {
    return {kUiScale * box.x, kUiScale * box.y, kUiScale * box.width, kUiScale * box.height};
}

// The card's part of the picture of the whole interface, in its pixels.
Box panel_box() {
    return in_device_px(ui_layout(kUiWidth_px, kUiHeight_px, kUiScale, {.panel = PanelShown::shown}).panel);
}

float metres_per_px(const Box& panel) {
    return kPanelHeight_m / panel.height;
}

// A part of the panel's picture in the plane that the panel hangs in.
PokeButton on_plane(const Box& panel, const Box& part) {
    const float scale = metres_per_px(panel);
    const Eigen::Vector2f middle_px(part.x + 0.5F * part.width, part.y + 0.5F * part.height);
    const Eigen::Vector2f off_px =
        middle_px - Eigen::Vector2f(panel.x + 0.5F * panel.width, panel.y + 0.5F * panel.height);
    return {scale * Eigen::Vector2f(off_px.x(), -off_px.y()), 0.5F * scale * Eigen::Vector2f(part.width, part.height)};
}
Eigen::Vector2f on_picture(const Box& panel, const Eigen::Vector2f& at_m) {
    const float scale = metres_per_px(panel);
    return {panel.x + 0.5F * panel.width + at_m.x() / scale, panel.y + 0.5F * panel.height - at_m.y() / scale};
}

}  // namespace

LiveEyes::LiveEyes(const PictureSize& mirror_size) : state_(std::make_unique<State>(mirror_size)) {
    SDL_GL_SetSwapInterval(0);  // the headset paces the loop, not the desktop
    const std::string_view driver = SDL_GetCurrentVideoDriver();
    if (driver == "x11" && glXGetCurrentContext() != nullptr)
        state_->bind_glx();
    else if (eglGetCurrentContext() != EGL_NO_CONTEXT)
        state_->bind_egl();
    else
        throw std::runtime_error("OpenXR needs OpenGL through GLX or EGL, and this window has neither: run under X11");
}

void LiveEyes::State::bind_glx() {
    glx.xDisplay = glXGetCurrentDisplay();
    glx.glxContext = glXGetCurrentContext();
    glx.glxDrawable = glXGetCurrentDrawable();
    int id = 0, count = 0, visual = 0;
    glXQueryContext(glx.xDisplay, glx.glxContext, GLX_FBCONFIG_ID, &id);
    const std::array<int, 3> wanted{GLX_FBCONFIG_ID, id, None};
    GLXFBConfig* configs = glXChooseFBConfig(glx.xDisplay, DefaultScreen(glx.xDisplay), wanted.data(), &count);
    if (configs != nullptr && count > 0) {
        glx.glxFBConfig = configs[0];
        glXGetFBConfigAttrib(glx.xDisplay, configs[0], GLX_VISUAL_ID, &visual);
        glx.visualid = static_cast<std::uint32_t>(visual);
    }
    if (configs != nullptr) XFree(configs);
}

void LiveEyes::State::bind_egl() {
    egl.getProcAddress = eglGetProcAddress;
    egl.display = eglGetCurrentDisplay();
    egl.context = eglGetCurrentContext();
    EGLint id = 0, count = 0;
    eglQueryContext(egl.display, egl.context, EGL_CONFIG_ID, &id);
    const std::array<EGLint, 3> wanted{EGL_CONFIG_ID, id, EGL_NONE};
    eglChooseConfig(egl.display, wanted.data(), &egl.config, 1, &count);
}

LiveEyes::~LiveEyes() = default;

const void* LiveEyes::binding(XrInstance instance, XrSystemId system, const openxr::Extensions& extensions) {
    const bool by_egl = state_->egl.context != nullptr;
    if (by_egl && !extensions.has(openxr::Extension::egl)) return nullptr;
    PFN_xrVoidFunction function = nullptr;
    auto needs = made<XrGraphicsRequirementsOpenGLKHR>(XR_TYPE_GRAPHICS_REQUIREMENTS_OPENGL_KHR);
    if (XR_FAILED(xrGetInstanceProcAddr(instance, "xrGetOpenGLGraphicsRequirementsKHR", &function)) ||
        XR_FAILED(reinterpret_cast<PFN_xrGetOpenGLGraphicsRequirementsKHR>(function)(instance, system, &needs)))
        return nullptr;
    state_->context.make_current();
    return by_egl ? static_cast<const void*>(&state_->egl) : &state_->glx;
}

bool LiveEyes::State::due(std::int64_t& last_ns) const {
    const std::int64_t at_ns = now_ns();
    if (at_ns - last_ns < (context.software() ? kSoftwarePanelEvery_ns : kPanelEvery_ns)) return false;
    last_ns = at_ns;
    return true;
}

RenderQuality LiveEyes::State::eye_quality() const {
    return context.software() ? quality_of_tier(kSoftwareTier, eyes[0].width, eyes[0].height) : RenderQuality{};
}

// Returns why there are no swapchains, or empty.
std::string LiveEyes::State::make_swapchains(openxr::Headset& headset) {
    std::array<XrViewConfigurationView, 2> sizes;
    if (!headset.eye_sizes(sizes)) return "the sizes of the eyes' pictures are not known";
    const XrSession session = headset.session();
    const Formats formats = choose_formats(session);
    if (formats.color == 0) return "the runtime takes no picture of eight bits a colour";
    with_depth = headset.extensions().has(openxr::Extension::depth_layer) && formats.depth != 0;
    XrResult result = XR_SUCCESS;
    const auto make = [&](Swapchain& swapchain, std::int64_t format, XrSwapchainUsageFlags usage, int width,
                          int height) {
        if (XR_SUCCEEDED(result)) result = swapchain.make(session, format, usage, width, height);
    };
    int max_width = 0, max_height = 0;
    for (std::size_t i = 0; i < eyes.size(); ++i) {
        const int width = static_cast<int>(sizes[i].recommendedImageRectWidth);
        const int height = static_cast<int>(sizes[i].recommendedImageRectHeight);
        make(eyes[i], formats.color, XR_SWAPCHAIN_USAGE_COLOR_ATTACHMENT_BIT, width, height);
        if (with_depth) make(depths[i], formats.depth, XR_SWAPCHAIN_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, width, height);
        max_width = std::max(max_width, width);
        max_height = std::max(max_height, height);
    }
    make(panel, formats.color, XR_SWAPCHAIN_USAGE_COLOR_ATTACHMENT_BIT, kUiWidth_px, kUiHeight_px);
    if (!headset.check(result, "making the eyes' images")) return headset.status().trouble;
    samples.emplace(max_width, max_height, eye_quality().samples,
                    with_depth ? formats.depth : std::int64_t{GL_DEPTH_COMPONENT24});
    if (!eye_picture || eye_picture->width() != eyes[0].width || eye_picture->height() != eyes[0].height)
        eye_picture.emplace(eyes[0].width, eyes[0].height, 0);
    return {};
}

void LiveEyes::State::destroy_swapchains() {
    for (auto* chains : {&eyes, &depths})
        for (Swapchain& swapchain : *chains) swapchain.destroy();
    panel.destroy();
}

bool LiveEyes::State::draw_eye(openxr::Headset& headset, std::size_t eye, const XrView& view,
                               const Eigen::Isometry3f& scene_from_seat, float focus_m) {
    const auto color = eyes[eye].acquire(headset);
    const auto depth = with_depth && color ? depths[eye].acquire(headset) : std::nullopt;
    if (!color || (with_depth && !depth)) return false;
    glBindFramebuffer(GL_FRAMEBUFFER, samples->framebuffer.id());
    Eye drawn;
    drawn.view_from_world =
        (scene_from_seat * tracking::isometry_from_openxr(view.pose)).inverse(Eigen::Isometry).matrix();
    drawn.clip_from_view = clip_from_view(view.fov);
    drawn.width_px = eyes[eye].width;
    drawn.height_px = eyes[eye].height;
    drawn.px = std::max(1.0F, static_cast<float>(drawn.height_px) / 1000.0F);
    drawn.reference_m = focus_m;
    drawn.see_through = headset.status().sees_through;
    glViewport(0, 0, drawn.width_px, drawn.height_px);
    // A field of view from right to left or from top to bottom requests a mirrored picture.
    const bool mirrored = (drawn.clip_from_view(0, 0) < 0.0F) != (drawn.clip_from_view(1, 1) < 0.0F);
    glFrontFace(mirrored ? GL_CW : GL_CCW);
    renderer.draw(drawn);
    glFrontFace(GL_CCW);

    // Resolve the samples into the runtime's images, and the left eye's into the mirror's, too.
    const auto put_together = [&](GLbitfield what) {
        glBlitFramebuffer(0, 0, drawn.width_px, drawn.height_px, 0, 0, drawn.width_px, drawn.height_px, what,
                          GL_NEAREST);
    };
    glBindFramebuffer(GL_READ_FRAMEBUFFER, samples->framebuffer.id());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer.id());
    glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, *color, 0);
    glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, with_depth ? *depth : 0, 0);
    put_together(GL_COLOR_BUFFER_BIT);
    if (with_depth) put_together(GL_DEPTH_BUFFER_BIT);
    if (eye == 0) {
        const Eigen::Vector2f straight = (drawn.clip_from_view * -Eigen::Vector4f::UnitZ()).head<2>();
        eye_axis = 0.5F * (straight + Eigen::Vector2f::Ones());
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, eye_picture->framebuffer());
        put_together(GL_COLOR_BUFFER_BIT);
    }
    const bool color_released = eyes[eye].release(headset);
    return (!with_depth || depths[eye].release(headset)) && color_released;
}

void LiveEyes::State::build_panel(const ViewModel& model) {
    glBindFramebuffer(GL_FRAMEBUFFER, panel_picture.framebuffer());
    glViewport(0, 0, kUiWidth_px, kUiHeight_px);
    glClearColor(0.94F, 0.95F, 0.96F, 1.0F);
    glClear(GL_COLOR_BUFFER_BIT);
    ui.make_current();
    ImGui::GetIO().DeltaTime = 1.0F / 60.0F;
    const ViewCommands requested = ui.build(model, settings, OrbitCamera{}, kUiWidth_px, kUiHeight_px);
    if (!requested.method.empty()) commands.method = requested.method;
    ui.render();
    if (const auto clicked = std::exchange(ui.panel().headset.clicked, {})) obey(*clicked, model);
}

// All of it, or of a hidden one the button that shows it again.
Box LiveEyes::State::shown_part(const Box& box) {
    const HeadsetButtons& large = ui.panel().headset;
    for (const HeadsetButtons::Shown& shown : large.shown)
        if (large.panel_hidden && shown.button == HeadsetButton::panel) return in_device_px(shown.box);
    return box;
}

bool LiveEyes::State::show_panel(openxr::Headset& headset) {
    const auto texture = panel.acquire(headset);
    if (!texture) return false;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, panel_picture.framebuffer());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer.id());
    glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, *texture, 0);
    glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, 0, 0);
    glBlitFramebuffer(0, 0, kUiWidth_px, kUiHeight_px, 0, 0, kUiWidth_px, kUiHeight_px, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
    return panel.release(headset);
}

// Every frame, however seldom the panel is drawn: a press is a way through its plane.
void LiveEyes::State::touch_with(const tracking::HandFrame& right, const Eigen::Isometry3f& scene_from_panel,
                                 const Box& box, const ViewModel& model) {
    HeadsetButtons& large = ui.panel().headset;
    if (buttons.size() != large.shown.size() + 1) poke = {};
    buttons.clear();
    for (const HeadsetButtons::Shown& shown : large.shown) {
        buttons.push_back(on_plane(box, in_device_px(shown.box)));
        if (large.panel_hidden && shown.button != HeadsetButton::panel) buttons.back().half_m.setConstant(-1.0F);
    }
    buttons.push_back(on_plane(box, box));
    if (large.panel_hidden) buttons.back().half_m.setConstant(-1.0F);

    const tracking::JointPose& tip = right[tracking::Joint::index_tip];
    std::optional<PokeTip> at;
    if (right.active && tip.position_valid()) at = {scene_from_panel.inverse() * tip.position_m, tip.radius_m};
    const std::optional<PokePress> pressed = update_poke(poke, buttons, at);
    const int count = static_cast<int>(large.shown.size());
    large.hovered = poke.hovered < count ? poke.hovered : -1;
    large.pressed = poke.pressed < count ? poke.pressed : -1;
    if (poke.hovered == count && poke.pressed < 0) finger.at_px = on_picture(box, poke.last->at_m.head<2>());
    if (!pressed) return;
    if (pressed->button < count) return obey(large.shown[static_cast<std::size_t>(pressed->button)].button, model);
    finger.at_px = on_picture(box, pressed->at_m);
    finger.was_pressed = true;
}

void LiveEyes::State::obey(HeadsetButton button, const ViewModel& model) {
    press = button;
    switch (button) {
        case HeadsetButton::place:
            commands.place_scene = true;
            break;
        case HeadsetButton::room:
            commands.toggle_see_through = true;
            break;
        case HeadsetButton::scene:
            if (model.headset != nullptr) commands.open_scene = model.headset->next_scene;
            break;
        case HeadsetButton::pause:
            commands.toggle_play = !commands.toggle_play;
            break;
        case HeadsetButton::boxes:
            settings.object_boxes = settings.boxes.level == BoxLevels::kNone;
            settings.boxes.level = settings.object_boxes ? BoxLevels::kLeaves : BoxLevels::kNone;
            break;
        case HeadsetButton::panel:
            ui.panel().headset.panel_hidden = !ui.panel().headset.panel_hidden;
            break;
    }
    panel_at_ns = 0;  // it says something else now
}

// Small controls on the panel belong to ImGui. Its mouse is the finger or, if no finger points, the mirror's mouse.
void LiveEyes::State::point(const Box& box) {
    const int panel_itself = static_cast<int>(buttons.size()) - 1;
    const bool down = finger.was_pressed || (panel_itself >= 0 && poke.pressed == panel_itself);
    if (!down && (panel_itself < 0 || poke.hovered != panel_itself)) return point_with_mouse(box);
    ui.make_current();
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = {finger.at_px.x(), finger.at_px.y()};
    io.MouseDown[0] = down;
    finger.was_pressed = false;
}

// The panel fills the right of the mirror from top to bottom.
void LiveEyes::State::point_with_mouse(const Box& box) {
    int width = 0, height = 0;
    SDL_GetWindowSize(context.window(), &width, &height);
    const float scale = box.height / static_cast<float>(std::max(1, height));
    const float left_px = static_cast<float>(width) - box.width / scale;
    ui.make_current();
    ImGuiIO& io = ImGui::GetIO();
    const bool over = mouse.x_px >= left_px && mouse.x_px < static_cast<float>(width);
    io.MousePos =
        over ? ImVec2{box.x + scale * (mouse.x_px - left_px), box.y + scale * mouse.y_px} : ImVec2{-1e6F, -1e6F};
    io.MouseDown[0] = over && (mouse.down || mouse.was_pressed);
    io.MouseWheel = over ? mouse.wheel : 0.0F;
    mouse.was_pressed = false;
    mouse.wheel = 0.0F;
}

void LiveEyes::State::see(const SDL_Event& event) {
    if (event.type == SDL_MOUSEMOTION) {
        mouse.x_px = static_cast<float>(event.motion.x);
        mouse.y_px = static_cast<float>(event.motion.y);
    } else if (event.type == SDL_MOUSEBUTTONDOWN || event.type == SDL_MOUSEBUTTONUP) {
        if (event.button.button != SDL_BUTTON_LEFT) return;
        mouse.x_px = static_cast<float>(event.button.x);
        mouse.y_px = static_cast<float>(event.button.y);
        mouse.down = event.type == SDL_MOUSEBUTTONDOWN;
        mouse.was_pressed = mouse.was_pressed || mouse.down;
    } else if (event.type == SDL_MOUSEWHEEL) {
        mouse.wheel += static_cast<float>(event.wheel.y);
    } else if (event.type == SDL_WINDOWEVENT && event.window.event == SDL_WINDOWEVENT_LEAVE) {
        mouse.x_px = mouse.y_px = -1.0F;
    } else if (event.type == SDL_KEYDOWN && event.key.keysym.sym == SDLK_SPACE && event.key.repeat == 0) {
        commands.toggle_play = !commands.toggle_play;
    }
}

std::span<const XrCompositionLayerBaseHeader* const> LiveEyes::draw(openxr::Headset& headset,
                                                                    const openxr::FrameTiming& frame,
                                                                    const ViewModel& model,
                                                                    const Eigen::Isometry3f& scene_from_seat) {
    State& s = *state_;
    s.layers.clear();
    if (headset.session() == XR_NULL_HANDLE) return {};
    s.context.make_current();
    if (s.session_number != headset.session_number()) {
        s.eyes = {};
        s.depths = {};
        s.panel = {};
        s.panel_shown = false;
        s.session_number = headset.session_number();
        // Once per session: what fails now would fail in the next frame, too.
        const std::string trouble = s.make_swapchains(headset);
        s.has_images = trouble.empty();
        if (!s.has_images && headset.session() != XR_NULL_HANDLE) {
            s.destroy_swapchains();
            headset.has_no_picture(trouble);
        }
    }
    std::array<XrView, 2> located;
    if (!s.has_images || !headset.locate_eyes(frame, located)) {
        s.poke = {};  // the finger's path starts again with the next drawn frame
        return {};
    }

    const auto eye_m = [&](std::size_t i) -> Eigen::Vector3f {
        return scene_from_seat * tracking::isometry_from_openxr(located[i].pose).translation();
    };
    const Eigen::Vector3f head_m = 0.5F * (eye_m(0) + eye_m(1));
    FrameLight light;
    light.focus_m = model.scene->anchor_m;
    light.ground_m = {light.focus_m.x(), light.focus_m.z()};
    light.to_light = light_for(head_m, light.focus_m);
    s.skins.update(model, s.renderer, false);
    s.renderer.prepare(model, s.settings, light, s.eye_quality());
    const float focus_m = std::max(0.2F, (light.focus_m - head_m).norm());
    for (std::size_t i = 0; i < 2; ++i)
        if (!s.draw_eye(headset, i, located[i], scene_from_seat, focus_m)) return {};

    const Box box = panel_box();
    const tracking::HandPair& hands = *model.hands;
    const Eigen::Isometry3f scene_from_panel = panel_place(hands[tracking::Side::left], head_m, scene_from_seat);
    s.touch_with(hands[tracking::Side::right], scene_from_panel, box, model);
    if (s.due(s.panel_at_ns) || !s.panel_shown) {
        s.point(box);
        s.build_panel(model);
        s.panel_shown = s.show_panel(headset) || s.panel_shown;  // if late, the previous panel stays
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glFlush();
    if (headset.session() == XR_NULL_HANDLE) return {};  // it was lost during drawing

    for (std::size_t i = 0; i < 2; ++i) {
        s.views[i] = made<XrCompositionLayerProjectionView>(XR_TYPE_COMPOSITION_LAYER_PROJECTION_VIEW);
        s.views[i].pose = located[i].pose;
        s.views[i].fov = located[i].fov;
        s.views[i].subImage = s.eyes[i].whole();
        if (!s.with_depth) continue;
        s.depth_infos[i] = made<XrCompositionLayerDepthInfoKHR>(XR_TYPE_COMPOSITION_LAYER_DEPTH_INFO_KHR);
        s.depth_infos[i].subImage = s.depths[i].whole();
        s.depth_infos[i].minDepth = 0.0F;
        s.depth_infos[i].maxDepth = 1.0F;
        s.depth_infos[i].nearZ = kEyeNear_m;
        s.depth_infos[i].farZ = kEyeFar_m;
        s.views[i].next = &s.depth_infos[i];
    }
    s.projection.layerFlags = headset.status().sees_through ? XR_COMPOSITION_LAYER_BLEND_TEXTURE_SOURCE_ALPHA_BIT : 0;
    s.projection.space = headset.seat();
    s.projection.viewCount = 2;
    s.projection.views = s.views.data();
    const void* projection = &s.projection;
    s.layers.push_back(static_cast<const XrCompositionLayerBaseHeader*>(projection));
    if (s.panel_shown) {
        s.quad.space = headset.seat();
        s.quad.eyeVisibility = XR_EYE_VISIBILITY_BOTH;
        const Box part = s.shown_part(box);
        const PokeButton place = on_plane(box, part);
        const Eigen::Isometry3f scene_from_part =
            scene_from_panel * Eigen::Translation3f(place.center_m.x(), place.center_m.y(), 0.0F);
        s.quad.pose = tracking::openxr_from_isometry(scene_from_seat.inverse(Eigen::Isometry) * scene_from_part);
        s.quad.size = {2.0F * place.half_m.x(), 2.0F * place.half_m.y()};
        // OpenGL counts rows from below.
        s.quad.subImage = s.panel.part(static_cast<int>(part.x), kUiHeight_px - static_cast<int>(part.y + part.height),
                                       static_cast<int>(part.width), static_cast<int>(part.height));
        const void* quad = &s.quad;
        s.layers.push_back(static_cast<const XrCompositionLayerBaseHeader*>(quad));
    }
    return s.layers;
}

void LiveEyes::draw_panel_only(const ViewModel& model) {
    State& s = *state_;
    s.poke = {};
    if (!s.due(s.panel_at_ns)) return;
    s.context.make_current();
    s.point_with_mouse(panel_box());
    s.build_panel(model);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

void LiveEyes::forget_scene() {
    state_->renderer.forget_scene();
    state_->ui.forget_scene();
}

ViewCommands LiveEyes::take_commands() {
    return std::exchange(state_->commands, {});
}

std::optional<HeadsetButton> LiveEyes::take_press() {
    return std::exchange(state_->press, {});
}

bool LiveEyes::mirror() {
    State& s = *state_;
    for (SDL_Event event; SDL_PollEvent(&event) != 0;) {
        if (event.type == SDL_QUIT) return false;
        if (event.type == SDL_WINDOWEVENT && event.window.event == SDL_WINDOWEVENT_CLOSE) return false;
        if (event.type == SDL_KEYDOWN && (event.key.keysym.sym == SDLK_q || event.key.keysym.sym == SDLK_ESCAPE))
            return false;
        s.see(event);
    }
    if (!s.due(s.mirror_at_ns)) return true;
    s.context.make_current();
    int width = 0, height = 0;
    SDL_GL_GetDrawableSize(s.context.window(), &width, &height);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, width, height);
    glClearColor(0.94F, 0.95F, 0.96F, 1.0F);
    glClear(GL_COLOR_BUFFER_BIT);
    const auto show = [&](const gl::Target& from, int x, int y, int w, int h, int to_x, int to_w) {
        glBindFramebuffer(GL_READ_FRAMEBUFFER, from.framebuffer());
        glBlitFramebuffer(x, y, x + w, y + h, to_x, 0, to_x + to_w, height, GL_COLOR_BUFFER_BIT, GL_LINEAR);
    };
    const Box box = panel_box();
    const int panel_width = static_cast<int>(static_cast<float>(height) * box.width / box.height);
    const int free_width = std::max(1, width - panel_width);
    if (s.eye_picture) {
        // The centre of the eye's picture, in the shape of the space left of the panel.
        const int eye_width = s.eye_picture->width(), eye_height = s.eye_picture->height();
        const int side = static_cast<int>(kMirrorShare * static_cast<float>(std::min(eye_width, eye_height)));
        const int cut_h = free_width > height ? side * height / free_width : side;
        const int cut_w = free_width > height ? side : side * free_width / height;
        const auto first = [](float axis, int size, int cut) {
            return std::clamp(static_cast<int>(axis * static_cast<float>(size)) - cut / 2, 0, size - cut);
        };
        show(*s.eye_picture, first(s.eye_axis.x(), eye_width, cut_w), first(s.eye_axis.y(), eye_height, cut_h), cut_w,
             cut_h, 0, free_width);
    }
    show(s.panel_picture, static_cast<int>(box.x), kUiHeight_px - static_cast<int>(box.y + box.height),
         static_cast<int>(box.width), static_cast<int>(box.height), free_width, panel_width);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    SDL_GL_SwapWindow(s.context.window());
    return true;
}

}  // namespace glovebox::vr
