#include <fstream>
#include <ios>
#include <random>

#include "collision/mesh/tree_storage.h"

namespace glovebox::collision {

namespace fs = std::filesystem;

// Reads the file instead of mapping it: Windows cannot replace a mapped file.
StoredBytes::StoredBytes(const fs::path& path) {
    std::error_code error;
    const fs::file_status there = fs::status(path, error);
    if (fs::exists(there) && !fs::is_regular_file(there)) {
        fault_ = "is not a file";
        return;
    }
    const std::uintmax_t size = fs::file_size(path, error);
    std::ifstream file(path, std::ios::binary);
    if (error || !file) {
        fault_ = "no tree could be read: " + (error ? error.message() : "it could not be opened");
        return;
    }
    read_.resize(static_cast<std::size_t>(size));
    file.read(reinterpret_cast<char*>(read_.data()), static_cast<std::streamsize>(size));
    if (!file)
        fault_ = "could not be read";
    else
        view_ = read_;
}

StoredBytes::~StoredBytes() = default;

std::string write_whole(const fs::path& path, std::span<const std::span<const std::byte>> parts) {
    fs::path temporary = path;
    temporary += "." + std::to_string(std::random_device{}());
    std::error_code error;
    {
        std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
        for (const std::span<const std::byte> part : parts)
            file.write(reinterpret_cast<const char*>(part.data()), static_cast<std::streamsize>(part.size()));
        file.close();
        if (!file) error = std::make_error_code(std::errc::io_error);
    }
    if (!error) fs::rename(temporary, path, error);
    if (!error) return {};
    std::error_code ignored;
    fs::remove(temporary, ignored);
    return error.message();
}

std::string fault_of_private_folder(const fs::path& folder) {
    std::error_code ignored;
    const fs::file_status there = fs::status(folder, ignored);
    return fs::exists(there) && !fs::is_directory(there) ? "is no folder" : "";
}

void make_private_folder(const fs::path& folder) {
    std::error_code ignored;
    fs::create_directories(folder, ignored);
}

}  // namespace glovebox::collision
