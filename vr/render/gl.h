// RAII owners of OpenGL objects: created in the constructor, deleted in the destructor, movable but not copyable.
//
// During the whole lifetime of these objects, an OpenGL 3.3 core context must be current.
#pragma once

#include <epoxy/gl.h>

#include <Eigen/Core>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace glovebox::vr::gl {

/// Owns the name of an OpenGL object.
template <typename Tag>
class Name {
  public:
    Name() : id_(Tag::make()) {}
    ~Name() {
        if (id_ != 0) Tag::free(id_);
    }
    Name(Name&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
    Name& operator=(Name&& other) noexcept {
        std::swap(id_, other.id_);
        return *this;
    }
    GLuint id() const { return id_; }

  private:
    GLuint id_;
};

struct BufferTag {
    static GLuint make();
    static void free(GLuint id);
};
struct ArrayTag {
    static GLuint make();
    static void free(GLuint id);
};
struct TextureTag {
    static GLuint make();
    static void free(GLuint id);
};
struct RenderbufferTag {
    static GLuint make();
    static void free(GLuint id);
};
struct FramebufferTag {
    static GLuint make();
    static void free(GLuint id);
};
using Buffer = Name<BufferTag>;
using VertexArray = Name<ArrayTag>;
using Texture = Name<TextureTag>;
using Renderbuffer = Name<RenderbufferTag>;
using Framebuffer = Name<FramebufferTag>;

/// A linked shader program. The constructor throws std::runtime_error with the driver's log if compiling fails.
class Program {
  public:
    Program(std::string_view name, std::string_view vertex_source, std::string_view fragment_source);
    ~Program();
    Program(Program&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
    Program& operator=(Program&& other) noexcept {
        std::swap(id_, other.id_);
        return *this;
    }

    void use() const;
    /// Sets a uniform. The program must be in use. A uniform that the compiler removed is ignored.
    void set(const char* uniform, int value) const;
    void set(const char* uniform, float value) const;
    void set(const char* uniform, const Eigen::Vector2f& value) const;
    void set(const char* uniform, const Eigen::Vector3f& value) const;
    void set(const char* uniform, const Eigen::Vector4f& value) const;
    void set(const char* uniform, const Eigen::Matrix4f& value) const;
    void set(const char* uniform, std::span<const Eigen::Matrix4f> values) const;
    void set(const char* uniform, std::span<const Eigen::Vector4f> values) const;

  private:
    GLuint id_ = 0;
};

/// A framebuffer with colour and depth; multisampled if samples > 0.
class Target {
  public:
    Target(int width, int height, int samples);
    GLuint framebuffer() const { return framebuffer_.id(); }
    int width() const { return width_; }
    int height() const { return height_; }
    int samples() const { return samples_; }

  private:
    Framebuffer framebuffer_;
    Texture color_;
    Renderbuffer color_samples_, depth_;
    int width_, height_, samples_;
};

}  // namespace glovebox::vr::gl
