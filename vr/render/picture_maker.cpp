#include "vr/render/picture_maker.h"

#if __has_include(<backends/imgui_impl_opengl3.h>)
#include <backends/imgui_impl_opengl3.h>
#else
#include <imgui_impl_opengl3.h>
#endif

#include <algorithm>
#include <optional>

#include "vr/render/gl.h"
#include "vr/render/gl_context.h"
#include "vr/render/renderer.h"
#include "vr/render/skin_library.h"
#include "vr/ui/ui.h"

namespace glovebox::vr {
namespace {

// Draws the text over the picture, with a separate ImGui context.
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

    // At the bottom of that part of the picture.
    void draw(const std::string& caption, const std::string& time, const FreeArea& area) {
        ImGuiContext* before = ImGui::GetCurrentContext();
        ImGui::SetCurrentContext(context_);
        ImGui::GetIO().DisplaySize = {static_cast<float>(width_px_), static_cast<float>(height_px_)};
        ImGui_ImplOpenGL3_NewFrame();
        ImGui::NewFrame();
        const Box box{area.x / scale_, area.y / scale_, area.width / scale_, area.height / scale_};
        if (begin_plain_window("caption", box, scale_)) {
            const Brush brush(*ImGui::GetWindowDrawList(), fonts_, scale_);
            const float foot = box.bottom() - 14.0F;
            const float time_width = brush.width_of(fonts_.figure, time);
            if (!time.empty()) {
                brush.fill({box.x + 12.0F, foot - 18.0F, time_width + 20.0F, 26.0F}, palette::kCard, 7.0F, 0.88F);
                brush.text(fonts_.figure, box.x + 22.0F, foot, palette::kSecondary, time);
            }
            if (!caption.empty()) {
                const float left = box.x + (time.empty() ? 12.0F : time_width + 42.0F);
                const float width = std::min(brush.width_of(fonts_.body, caption), box.right() - left - 34.0F);
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

}  // namespace

struct PictureMaker::State {
    State(int width_px, int height_px, bool panel, float ui_scale)
        : width(width_px),
          height(height_px),
          scale(ui_scale > 0.0F ? ui_scale : ui_scale_for(std::min(width_px, height_px))),
          context(GlContext::Kind::offscreen, "Glovebox picture", 64, 64),
          samples(width_px, height_px, quality.samples),
          resolved(width_px, height_px, 0),
          before(ImGui::GetCurrentContext()) {
        if (panel) ui.emplace(scale);
        ImGui::SetCurrentContext(before);
    }

    int width, height;
    float scale;
    RenderQuality quality;
    GlContext context;
    Renderer renderer;
    SkinLibrary skins;
    gl::Target samples, resolved;
    ImGuiContext* before;  // the context that was current before
    std::optional<Ui> ui;
    std::optional<Captions> captions;
    Picture picture;
    bool laid_out = false;
};

PictureMaker::PictureMaker(int width_px, int height_px, bool panel, float ui_scale)
    : state_(std::make_unique<State>(width_px, height_px, panel, ui_scale)) {}

PictureMaker::~PictureMaker() {
    state_->ui.reset();
    ImGui::SetCurrentContext(state_->before);
}

Viewport PictureMaker::viewport(const ViewModel& model, const FrameOptions& options) const {
    const State& s = *state_;
    Viewport viewport{s.width, s.height, {}};
    // The scene must not be placed under the text.
    constexpr float kWords = 40.0F;
    if (s.ui && options.panel)
        viewport.free_px = ui_layout(s.width, s.height, s.scale, shape_of(model, options.settings)).free_px;
    else if (!options.caption.empty() || !options.time.empty())
        viewport.free_px = {0.0F, 0.0F, static_cast<float>(s.width), static_cast<float>(s.height) - kWords * s.scale};
    return viewport;
}

const Picture& PictureMaker::take(const ViewModel& model, const FrameOptions& options) {
    State& s = *state_;
    s.context.make_current();
    s.skins.update(model, s.renderer, true);
    const OrbitCamera& camera = options.camera;
    ViewSettings settings = options.settings;
    const bool panel = s.ui && options.panel;
    const FreeArea free = viewport(model, options).free_px;
    s.renderer.prepare(model, settings, frame_light(model, camera), s.quality);
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
    const auto bind = [&s] {
        glBindFramebuffer(GL_FRAMEBUFFER, s.resolved.framebuffer());
        glViewport(0, 0, s.width, s.height);
    };
    bind();
    if (panel) {
        if (options.more && !s.laid_out) s.ui->toggle(Ui::Popover::more);
        // ImGui needs two frames for its layout, three for popups.
        for (int i = s.laid_out ? 2 : 0; i < 3; ++i) s.ui->build(model, settings, camera, s.width, s.height);
        s.laid_out = true;
        bind();
        s.ui->render();
        ImGui::SetCurrentContext(s.before);
    }
    if (!options.caption.empty() || !options.time.empty()) {
        if (!s.captions) s.captions.emplace(s.width, s.height, s.scale);
        bind();
        FreeArea words = options.words_px;
        if (words.width <= 0.0F)
            words = {0.0F, 0.0F, panel ? free.x + free.width : static_cast<float>(s.width),
                     panel ? free.y + free.height : static_cast<float>(s.height)};
        s.captions->draw(options.caption, options.time, words);
    }
    bind();
    s.picture = read_picture(s.width, s.height);
    return s.picture;
}

}  // namespace glovebox::vr
