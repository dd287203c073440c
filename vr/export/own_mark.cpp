#include "vr/export/own_mark.h"

#include <cstdint>

#include "recordings/log/schema.h"
#include "recordings/output.h"

namespace glovebox::vr {

std::string marked_png(std::string png) {
    constexpr std::size_t kHeaderEnd = 33;
    const std::string chunk = "tEXt" + std::string(recordings::kPngMark.substr(4));
    const auto word = [](std::uint32_t value) {
        std::string bytes;
        for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift);
        return bytes;
    };
    const std::uint32_t crc = recordings::crc32({reinterpret_cast<const unsigned char*>(chunk.data()), chunk.size()});
    if (png.size() > kHeaderEnd)
        png.insert(kHeaderEnd, word(static_cast<std::uint32_t>(chunk.size() - 4)) + chunk + word(crc));
    return png;
}

std::string marked_pdf(std::string pdf) {
    const std::size_t line = pdf.find("\n%");
    if (line != std::string::npos && line < 16 && pdf.size() > line + 6)
        pdf.replace(line + 2, recordings::kPdfMark.size(), recordings::kPdfMark);
    return pdf;
}

}  // namespace glovebox::vr
