// Shared libraries that are loaded where they are needed.
#pragma once

namespace glovebox::vr {

/// Loads the shared library of this file name that lies in the folder of the library or program that this code is in,
/// and returns the address of one of its functions. It stays loaded. Throws std::runtime_error with one line.
void* function_of_library_beside(const char* file_name, const char* function);

}  // namespace glovebox::vr
