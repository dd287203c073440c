#include "vr/platform/system_font.h"

#ifdef __linux__
#include <dlfcn.h>

#include <cstdint>
#include <string_view>
#endif

namespace glovebox::vr {

#ifdef __linux__
namespace {

// The functions that we call of fontconfig, whose C interface has been stable for two decades. The library is loaded
// only when a name needs it: linked, it would cost every start some milliseconds, and installations without a display a
// package.
struct Fontconfig {
    using Byte = unsigned char;
    void* library = dlopen("libfontconfig.so.1", RTLD_NOW | RTLD_LOCAL);
    bool complete = library != nullptr;

    void* (*pattern_create)() = function<void*()>("FcPatternCreate");
    void (*pattern_destroy)(void*) = function<void(void*)>("FcPatternDestroy");
    int (*add_string)(void*, const char*,
                      const Byte*) = function<int(void*, const char*, const Byte*)>("FcPatternAddString");
    int (*add_bool)(void*, const char*, int) = function<int(void*, const char*, int)>("FcPatternAddBool");
    int (*add_char_set)(void*, const char*,
                        const void*) = function<int(void*, const char*, const void*)>("FcPatternAddCharSet");
    void* (*char_set_create)() = function<void*()>("FcCharSetCreate");
    int (*char_set_add)(void*, std::uint32_t) = function<int(void*, std::uint32_t)>("FcCharSetAddChar");
    void (*char_set_destroy)(void*) = function<void(void*)>("FcCharSetDestroy");
    int (*substitute)(void*, void*, int) = function<int(void*, void*, int)>("FcConfigSubstitute");
    void (*default_substitute)(void*) = function<void(void*)>("FcDefaultSubstitute");
    void* (*font_match)(void*, void*, int*) = function<void*(void*, void*, int*)>("FcFontMatch");
    int (*get_string)(const void*, const char*, int,
                      Byte**) = function<int(const void*, const char*, int, Byte**)>("FcPatternGetString");
    int (*get_integer)(const void*, const char*, int,
                       int*) = function<int(const void*, const char*, int, int*)>("FcPatternGetInteger");

    template <typename Signature>
    Signature* function(const char* name) {
        void* found = library == nullptr ? nullptr : dlsym(library, name);
        complete = complete && found != nullptr;
        return reinterpret_cast<Signature*>(found);
    }
};

}  // namespace

std::optional<FontFile> system_font_with(std::span<const char32_t> characters) {
    static const Fontconfig fc;
    if (!fc.complete) return {};
    void* wanted = fc.pattern_create();
    void* char_set = fc.char_set_create();
    for (const char32_t character : characters) fc.char_set_add(char_set, character);
    fc.add_char_set(wanted, "charset", char_set);
    fc.add_string(wanted, "family", reinterpret_cast<const Fontconfig::Byte*>("sans-serif"));
    fc.add_bool(wanted, "scalable", 1);
    fc.add_bool(wanted, "color", 0);
    fc.substitute(nullptr, wanted, 0);
    fc.default_substitute(wanted);
    int result = 0;
    void* match = fc.font_match(nullptr, wanted, &result);
    std::optional<FontFile> font;
    Fontconfig::Byte *file = nullptr, *format = nullptr;
    if (match != nullptr && fc.get_string(match, "file", 0, &file) == 0) {
        font.emplace().path = reinterpret_cast<const char*>(file);
        if (fc.get_integer(match, "index", 0, &font->index) != 0) font->index = 0;
        font->index &= 0xFFFF;  // the upper half is the instance of a variable font
        const bool known = fc.get_string(match, "fontformat", 0, &format) == 0;
        const std::string_view name = known ? reinterpret_cast<const char*>(format) : "";
        if (name != "TrueType" && name != "CFF") font.reset();
    }
    if (match != nullptr) fc.pattern_destroy(match);
    fc.char_set_destroy(char_set);
    fc.pattern_destroy(wanted);
    return font;
}
#else
std::optional<FontFile> system_font_with(std::span<const char32_t>) {
    return {};
}
#endif

}  // namespace glovebox::vr
