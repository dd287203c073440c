// Loads shared libraries on demand.
#pragma once

namespace glovebox::vr {

/// Loads a shared library from the folder of the library or program that contains this code, and returns the address of
/// one of its functions. The library stays loaded. Throws std::runtime_error with a one-line message.
void* function_of_library_beside(const char* file_name, const char* function);

/// Returns the address of a function of a library that the process has loaded already; null if it has not.
void* function_of_loaded_library(const char* file_name, const char* function);

}  // namespace glovebox::vr
