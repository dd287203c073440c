#include "recordings/own_mark.h"

#include <cstdint>

#include "recordings/log/schema.h"
#include "recordings/output.h"

namespace glovebox::recordings {

std::string marked_png(std::string png) {
    constexpr std::size_t kHeaderEnd = 33;
    const std::string chunk = "tEXt" + std::string(kPngMark.substr(4));
    const auto word = [](std::uint32_t value) {
        std::string bytes;
        for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift);
        return bytes;
    };
    const std::uint32_t crc = crc32({reinterpret_cast<const unsigned char*>(chunk.data()), chunk.size()});
    if (png.size() > kHeaderEnd)
        png.insert(kHeaderEnd, word(static_cast<std::uint32_t>(chunk.size() - 4)) + chunk + word(crc));
    return png;
}

std::string marked_pdf(std::string pdf) {
    const std::size_t line = pdf.find("\n%");
    if (line != std::string::npos && line < 16 && pdf.size() > line + 6)
        pdf.replace(line + 2, kPdfMark.size(), kPdfMark);
    return pdf;
}

}  // namespace glovebox::recordings
