#include "vr/render/gl.h"

#include <algorithm>
#include <stdexcept>

namespace glovebox::vr::gl {
namespace {

GLuint compile(GLenum kind, std::string_view name, std::string_view source) {
    const GLuint shader = glCreateShader(kind);
    const char* text = source.data();
    const auto length = static_cast<GLint>(source.size());
    glShaderSource(shader, 1, &text, &length);
    glCompileShader(shader);
    GLint ok = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (ok == GL_TRUE) return shader;
    std::string log(1024, '\0');
    GLsizei written = 0;
    glGetShaderInfoLog(shader, static_cast<GLsizei>(log.size()), &written, log.data());
    log.resize(static_cast<std::size_t>(written));
    glDeleteShader(shader);
    throw std::runtime_error("OpenGL driver cannot compile shader " + std::string(name) + ": " + log);
}

}  // namespace

GLuint BufferTag::make() {
    GLuint id = 0;
    glGenBuffers(1, &id);
    return id;
}
void BufferTag::free(GLuint id) {
    glDeleteBuffers(1, &id);
}
GLuint ArrayTag::make() {
    GLuint id = 0;
    glGenVertexArrays(1, &id);
    return id;
}
void ArrayTag::free(GLuint id) {
    glDeleteVertexArrays(1, &id);
}
GLuint TextureTag::make() {
    GLuint id = 0;
    glGenTextures(1, &id);
    return id;
}
void TextureTag::free(GLuint id) {
    glDeleteTextures(1, &id);
}
GLuint RenderbufferTag::make() {
    GLuint id = 0;
    glGenRenderbuffers(1, &id);
    return id;
}
void RenderbufferTag::free(GLuint id) {
    glDeleteRenderbuffers(1, &id);
}
GLuint FramebufferTag::make() {
    GLuint id = 0;
    glGenFramebuffers(1, &id);
    return id;
}
void FramebufferTag::free(GLuint id) {
    glDeleteFramebuffers(1, &id);
}

Program::Program(std::string_view name, std::string_view vertex_source, std::string_view fragment_source) {
    const GLuint vertex = compile(GL_VERTEX_SHADER, name, vertex_source);
    GLuint fragment = 0;
    try {
        fragment = compile(GL_FRAGMENT_SHADER, name, fragment_source);
    } catch (...) {
        glDeleteShader(vertex);
        throw;
    }
    id_ = glCreateProgram();
    glAttachShader(id_, vertex);
    glAttachShader(id_, fragment);
    glLinkProgram(id_);
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    GLint ok = GL_FALSE;
    glGetProgramiv(id_, GL_LINK_STATUS, &ok);
    if (ok == GL_TRUE) return;
    glDeleteProgram(std::exchange(id_, 0));
    throw std::runtime_error("OpenGL driver cannot link shader " + std::string(name));
}

Program::~Program() {
    if (id_ != 0) glDeleteProgram(id_);
}

void Program::use() const {
    glUseProgram(id_);
}
void Program::set(const char* uniform, int value) const {
    glUniform1i(glGetUniformLocation(id_, uniform), value);
}
void Program::set(const char* uniform, float value) const {
    glUniform1f(glGetUniformLocation(id_, uniform), value);
}
void Program::set(const char* uniform, const Eigen::Vector2f& value) const {
    glUniform2fv(glGetUniformLocation(id_, uniform), 1, value.data());
}
void Program::set(const char* uniform, const Eigen::Vector3f& value) const {
    glUniform3fv(glGetUniformLocation(id_, uniform), 1, value.data());
}
void Program::set(const char* uniform, const Eigen::Vector4f& value) const {
    glUniform4fv(glGetUniformLocation(id_, uniform), 1, value.data());
}
void Program::set(const char* uniform, const Eigen::Matrix4f& value) const {
    glUniformMatrix4fv(glGetUniformLocation(id_, uniform), 1, GL_FALSE, value.data());
}
void Program::set(const char* uniform, std::span<const Eigen::Matrix4f> values) const {
    glUniformMatrix4fv(glGetUniformLocation(id_, uniform), static_cast<GLsizei>(values.size()), GL_FALSE,
                       values.empty() ? nullptr : values.front().data());
}
void Program::set(const char* uniform, std::span<const Eigen::Vector4f> values) const {
    if (!values.empty())
        glUniform4fv(glGetUniformLocation(id_, uniform), static_cast<GLsizei>(values.size()), values.front().data());
}

Target::Target(int width, int height, int samples) : width_(width), height_(height), samples_(samples) {
    GLint bound = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &bound);
    GLint most = 0;
    glGetIntegerv(GL_MAX_SAMPLES, &most);
    samples_ = std::min(samples_, most);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
    if (samples_ > 0) {
        glBindRenderbuffer(GL_RENDERBUFFER, color_samples_.id());
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples_, GL_RGBA8, width, height);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color_samples_.id());
    } else {
        glBindTexture(GL_TEXTURE_2D, color_.id());
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, color_.id(), 0);
    }
    glBindRenderbuffer(GL_RENDERBUFFER, depth_.id());
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples_, GL_DEPTH_COMPONENT24, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth_.id());
    const bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(bound));
    if (!complete)
        throw std::runtime_error("OpenGL cannot make a " + std::to_string(width) + " x " + std::to_string(height) +
                                 " picture; try a smaller size");
}

}  // namespace glovebox::vr::gl
