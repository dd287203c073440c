// The extension XFree86-VidMode for a program under Xvfb, which has none: one mode, and no change of it.
//
// Khronos' hello_xr asks for the list of modes when it makes its window and uses the list that was not filled. Put
// before libXxf86vm with LD_PRELOAD.
#include <cstdlib>

// As in X11/extensions/xf86vmode.h, which not every machine with hello_xr has.
struct XF86VidModeModeInfo {
    unsigned int dotclock;
    unsigned short hdisplay, hsyncstart, hsyncend, htotal, hskew, vdisplay, vsyncstart, vsyncend, vtotal;
    unsigned int flags;
    int privsize;
    int* private_data;
};

#define SHOWN extern "C" __attribute__((visibility("default")))

SHOWN int XF86VidModeGetAllModeLines(void* display, int screen, int* count, XF86VidModeModeInfo*** out);
SHOWN int XF86VidModeSwitchToMode(void* display, int screen, XF86VidModeModeInfo* mode);
SHOWN int XF86VidModeSetViewPort(void* display, int screen, int x, int y);

SHOWN int XF86VidModeGetAllModeLines(void*, int, int* count, XF86VidModeModeInfo*** out) {
    // One block, which XFree() frees: the list, and the mode behind it.
    struct Block {
        XF86VidModeModeInfo* list;
        XF86VidModeModeInfo mode;
    };
    auto* block = static_cast<Block*>(std::calloc(1, sizeof(Block)));
    if (block == nullptr) return 0;
    block->list = &block->mode;
    block->mode.dotclock = 25'175;  // kHz: 60 Hz
    block->mode.hdisplay = 640;
    block->mode.htotal = 800;
    block->mode.vdisplay = 480;
    block->mode.vtotal = 525;
    *count = 1;
    *out = &block->list;
    return 1;
}
SHOWN int XF86VidModeSwitchToMode(void*, int, XF86VidModeModeInfo*) {
    return 1;
}
SHOWN int XF86VidModeSetViewPort(void*, int, int, int) {
    return 1;
}
