#include "vr/export/picture_maker.h"

#if __has_include(<backends/imgui_impl_opengl3.h>)
#include <backends/imgui_impl_opengl3.h>
#else
#include <imgui_impl_opengl3.h>
#endif

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "vr/render/gl.h"
#include "vr/render/gl_context.h"
#include "vr/render/renderer.h"
#include "vr/render/skin_library.h"
#include "vr/ui/ui.h"

namespace glovebox::vr {
namespace {

// Words over the picture, by an ImGui context of its own.
class Captions {
  public:
    Captions(int width_px, int height_px, float scale) : width_px_(width_px), height_px_(height_px), scale_(scale) {
        ImGuiContext* before = ImGui::GetCurrentContext();
        context_ = ImGui::CreateContext();
        ImGui::SetCurrentContext(context_);
        ImGui::GetIO().IniFilename = nullptr;
        ImGui::GetIO().LogFilename = nullptr;
        ImGui_ImplOpenGL3_Init("#version 330 core");
        apply_theme(scale);
        fonts_ = load_fonts(scale);
        ImGui::SetCurrentContext(before);
    }
    ~Captions() {
        ImGuiContext* before = ImGui::GetCurrentContext();
        ImGui::SetCurrentContext(context_);
        ImGui_ImplOpenGL3_Shutdown();
        ImGui::DestroyContext(context_);
        if (before != context_) ImGui::SetCurrentContext(before);
    }
    Captions(const Captions&) = delete;
    Captions& operator=(const Captions&) = delete;

    // Left and above what a panel covers.
    void draw(const std::string& caption, const std::string& time, float right_px, float foot_px) {
        ImGuiContext* before = ImGui::GetCurrentContext();
        ImGui::SetCurrentContext(context_);
        ImGui::GetIO().DisplaySize = {static_cast<float>(width_px_), static_cast<float>(height_px_)};
        ImGui_ImplOpenGL3_NewFrame();
        ImGui::NewFrame();
        const Box box{0.0F, 0.0F, right_px / scale_, foot_px / scale_};
        if (begin_plain_window("caption", box, scale_)) {
            const Brush brush(*ImGui::GetWindowDrawList(), fonts_, scale_);
            const float foot = box.height - 14.0F;
            const float time_width = brush.width_of(fonts_.figure, time);
            if (!time.empty()) {
                brush.fill({12.0F, foot - 18.0F, time_width + 20.0F, 26.0F}, palette::kCard, 7.0F, 0.88F);
                brush.text(fonts_.figure, 22.0F, foot, palette::kSecondary, time);
            }
            if (!caption.empty()) {
                const float left = time.empty() ? 12.0F : time_width + 42.0F;
                const float width = std::min(brush.width_of(fonts_.body, caption), box.width - left - 34.0F);
                brush.fill({left, foot - 18.0F, width + 22.0F, 26.0F}, palette::kCard, 7.0F, 0.92F);
                brush.text_within(fonts_.body, left + 11.0F, foot, width + 0.5F, palette::kTouching, caption);
            }
        }
        end_plain_window();
        ImGui::Render();
        ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
        ImGui::SetCurrentContext(before);
    }

  private:
    ImGuiContext* context_ = nullptr;
    Fonts fonts_;
    int width_px_, height_px_;
    float scale_;
};

float scale_of(int width_px, int height_px) {
    return std::max(ui_scale_for(std::min(width_px, height_px)), 1.0F);
}

}  // namespace

struct PictureMaker::State {
    State(int width_px, int height_px, bool panel)
        : width(width_px),
          height(height_px),
          scale(scale_of(width_px, height_px)),
          context(GlContext::Kind::offscreen, "Glovebox video", 64, 64),
          samples(width_px, height_px, quality.samples),
          resolved(width_px, height_px, 0),
          captions(width_px, height_px, scale) {
        if (panel) ui.emplace(scale);
        picture = {width, height, std::vector<std::uint8_t>(3 * pixels())};
        rgba.resize(4 * pixels());
    }
    std::size_t pixels() const { return static_cast<std::size_t>(width) * static_cast<std::size_t>(height); }

    int width, height;
    float scale;
    RenderQuality quality;
    GlContext context;
    Renderer renderer;
    SkinLibrary skins;
    gl::Target samples, resolved;
    std::optional<Ui> ui;
    Captions captions;
    ViewSettings settings;
    Picture picture;
    std::vector<std::uint8_t> rgba;
    bool laid_out = false;
};

PictureMaker::PictureMaker(int width_px, int height_px, bool panel)
    : state_(std::make_unique<State>(width_px, height_px, panel)) {}

PictureMaker::~PictureMaker() = default;

Viewport PictureMaker::viewport(const ViewModel& model, const FrameOptions& options) const {
    const State& s = *state_;
    Viewport viewport{s.width, s.height, {}};
    // What the words cover is no place for the hand.
    constexpr float kWords = 40.0F;
    if (s.ui && options.panel)
        viewport.free_px = ui_layout(s.width, s.height, s.scale, shape_of(model, s.settings)).free_px;
    else if (!options.caption.empty() || !options.time.empty())
        viewport.free_px = {0.0F, 0.0F, static_cast<float>(s.width), static_cast<float>(s.height) - kWords * s.scale};
    return viewport;
}

const Picture& PictureMaker::take(const ViewModel& model, const FrameOptions& options) {
    State& s = *state_;
    s.context.make_current();
    s.skins.update(model, s.renderer, true);
    const OrbitCamera& camera = options.camera;
    const bool panel = s.ui && options.panel;
    const bool words = !options.caption.empty() || !options.time.empty();
    const FreeArea free = viewport(model, options).free_px;
    s.renderer.prepare(model, s.settings, frame_light(model, camera), s.quality);
    Eye eye;
    eye.view_from_world = camera.view_from_world();
    eye.clip_from_view = camera.clip_from_view(s.width, s.height, free);
    eye.width_px = s.width;
    eye.height_px = s.height;
    eye.px = s.scale;
    eye.reference_m = std::min(camera.distance_m, kLineReference_m);
    glBindFramebuffer(GL_FRAMEBUFFER, s.samples.framebuffer());
    s.renderer.draw(eye);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, s.samples.framebuffer());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, s.resolved.framebuffer());
    glBlitFramebuffer(0, 0, s.width, s.height, 0, 0, s.width, s.height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, s.resolved.framebuffer());
    glViewport(0, 0, s.width, s.height);
    if (panel) {
        // ImGui settles layout over two frames, popups over three.
        for (int i = s.laid_out ? 2 : 0; i < 3; ++i) s.ui->build(model, s.settings, camera, s.width, s.height);
        s.laid_out = true;
        glBindFramebuffer(GL_FRAMEBUFFER, s.resolved.framebuffer());
        glViewport(0, 0, s.width, s.height);
        s.ui->render();
    }
    if (words)
        s.captions.draw(options.caption, options.time, panel ? free.x + free.width : static_cast<float>(s.width),
                        panel ? free.y + free.height : static_cast<float>(s.height));
    glBindFramebuffer(GL_FRAMEBUFFER, s.resolved.framebuffer());
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, s.width, s.height, GL_RGBA, GL_UNSIGNED_BYTE, s.rgba.data());
    // Top row first: OpenGL's first row is the lowest.
    const auto row = static_cast<std::size_t>(s.width);
    for (std::size_t y = 0; y < static_cast<std::size_t>(s.height); ++y) {
        const std::uint8_t* from = &s.rgba[4 * (static_cast<std::size_t>(s.height) - 1 - y) * row];
        std::uint8_t* to = &s.picture.rgb[3 * y * row];
        for (std::size_t x = 0; x < row; ++x) std::memcpy(to + 3 * x, from + 4 * x, 3);
    }
    return s.picture;
}

}  // namespace glovebox::vr
