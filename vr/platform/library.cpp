#include "vr/platform/library.h"

#include <dlfcn.h>

#include <filesystem>
#include <stdexcept>
#include <string>

namespace glovebox::vr {
namespace {

// RTLD_LOCAL: symbols of the library and its dependencies are not used to resolve those of other libraries.
void* loaded(const std::filesystem::path& file) {
    void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw std::runtime_error(std::string("cannot be loaded: ") + dlerror());
    return library;
}

}  // namespace

void* function_of_library_beside(const char* file_name, const char* function) {
    Dl_info own{};
    if (dladdr(reinterpret_cast<void*>(&function_of_library_beside), &own) == 0 || own.dli_fname == nullptr)
        throw std::runtime_error(std::string(file_name) + ": the folder that it lies in is not known");
    const std::filesystem::path file = std::filesystem::path(own.dli_fname).parent_path() / file_name;
    void* found = dlsym(loaded(file), function);
    if (found == nullptr) throw std::runtime_error(file.string() + ": has no function " + function);
    return found;
}

void* function_of_loaded_library(const char* file_name, const char* function) {
    void* library = dlopen(file_name, RTLD_NOW | RTLD_NOLOAD);
    return library == nullptr ? nullptr : dlsym(library, function);
}

}  // namespace glovebox::vr
