#include "vr/layer/overlay_graphics.h"

#ifdef GLOVEBOX_LAYER_VULKAN
#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>
#define XR_USE_GRAPHICS_API_VULKAN
#include <openxr/openxr_platform.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "vr/layer/instance.h"
#include "vr/platform/library.h"

namespace glovebox::vr::layer {
namespace {

constexpr VkDeviceSize kBytes = sizeof(OverlayPicture::rgba);
constexpr std::uint64_t kMaxWait_ns = 1'000'000'000;

// The layer does not link Vulkan's loader. An application with a Vulkan device has loaded it.
PFN_vkGetInstanceProcAddr find_vulkan() {
    void* function = function_of_loaded_library("libvulkan.so.1", "vkGetInstanceProcAddr");
    if (function == nullptr) throw std::runtime_error("the panel finds no Vulkan loader in the application");
    return reinterpret_cast<PFN_vkGetInstanceProcAddr>(function);
}

struct Functions {
    PFN_vkGetPhysicalDeviceMemoryProperties get_memory_properties = nullptr;
    PFN_vkGetDeviceQueue get_queue = nullptr;
    PFN_vkCreateBuffer create_buffer = nullptr;
    PFN_vkDestroyBuffer destroy_buffer = nullptr;
    PFN_vkGetBufferMemoryRequirements get_buffer_memory_requirements = nullptr;
    PFN_vkAllocateMemory allocate_memory = nullptr;
    PFN_vkFreeMemory free_memory = nullptr;
    PFN_vkBindBufferMemory bind_buffer_memory = nullptr;
    PFN_vkMapMemory map_memory = nullptr;
    PFN_vkCreateCommandPool create_command_pool = nullptr;
    PFN_vkDestroyCommandPool destroy_command_pool = nullptr;
    PFN_vkAllocateCommandBuffers allocate_command_buffers = nullptr;
    PFN_vkBeginCommandBuffer begin_command_buffer = nullptr;
    PFN_vkEndCommandBuffer end_command_buffer = nullptr;
    PFN_vkCmdPipelineBarrier cmd_pipeline_barrier = nullptr;
    PFN_vkCmdCopyBufferToImage cmd_copy_buffer_to_image = nullptr;
    PFN_vkCreateFence create_fence = nullptr;
    PFN_vkDestroyFence destroy_fence = nullptr;
    PFN_vkGetFenceStatus get_fence_status = nullptr;
    PFN_vkResetFences reset_fences = nullptr;
    PFN_vkWaitForFences wait_for_fences = nullptr;
    PFN_vkQueueSubmit queue_submit = nullptr;

    explicit Functions(const XrGraphicsBindingVulkanKHR& binding) {
        const PFN_vkGetInstanceProcAddr of_instance = find_vulkan();
        const auto of_device =
            reinterpret_cast<PFN_vkGetDeviceProcAddr>(of_instance(binding.instance, "vkGetDeviceProcAddr"));
        const auto find = [&](const char* name, auto& function) {
            using Function = std::remove_reference_t<decltype(function)>;
            function = reinterpret_cast<Function>(of_device(binding.device, name));
            if (function == nullptr) throw std::runtime_error(std::string("the panel finds no ") + name);
        };
        get_memory_properties = reinterpret_cast<PFN_vkGetPhysicalDeviceMemoryProperties>(
            of_instance(binding.instance, "vkGetPhysicalDeviceMemoryProperties"));
        find("vkGetDeviceQueue", get_queue);
        find("vkCreateBuffer", create_buffer);
        find("vkDestroyBuffer", destroy_buffer);
        find("vkGetBufferMemoryRequirements", get_buffer_memory_requirements);
        find("vkAllocateMemory", allocate_memory);
        find("vkFreeMemory", free_memory);
        find("vkBindBufferMemory", bind_buffer_memory);
        find("vkMapMemory", map_memory);
        find("vkCreateCommandPool", create_command_pool);
        find("vkDestroyCommandPool", destroy_command_pool);
        find("vkAllocateCommandBuffers", allocate_command_buffers);
        find("vkBeginCommandBuffer", begin_command_buffer);
        find("vkEndCommandBuffer", end_command_buffer);
        find("vkCmdPipelineBarrier", cmd_pipeline_barrier);
        find("vkCmdCopyBufferToImage", cmd_copy_buffer_to_image);
        find("vkCreateFence", create_fence);
        find("vkDestroyFence", destroy_fence);
        find("vkGetFenceStatus", get_fence_status);
        find("vkResetFences", reset_fences);
        find("vkWaitForFences", wait_for_fences);
        find("vkQueueSubmit", queue_submit);
    }
};

// OpenXR requires that no other thread uses the session's queue while a frame is ended, so a copy may be submitted
// there. One command buffer for each image of the swapchain is recorded once, and copies from one staging buffer.
class VulkanGraphics : public OverlayGraphics {
  public:
    explicit VulkanGraphics(const XrGraphicsBindingVulkanKHR& binding)
        : physical_device_(binding.physicalDevice),
          device_(binding.device),
          queue_family_(binding.queueFamilyIndex),
          call_(binding) {
        call_.get_queue(device_, binding.queueFamilyIndex, binding.queueIndex, &queue_);
    }

    bool begin() override { return true; }
    void end() override {}
    std::int64_t format() const override { return VK_FORMAT_R8G8B8A8_SRGB; }
    XrSwapchainUsageFlags usage() const override {
        return XR_SWAPCHAIN_USAGE_SAMPLED_BIT | XR_SWAPCHAIN_USAGE_COLOR_ATTACHMENT_BIT |
               XR_SWAPCHAIN_USAGE_TRANSFER_DST_BIT;
    }

    XrResult take_images(const Next& next, XrSwapchain swapchain) override {
        std::uint32_t count = 0;
        XrResult result = next.enumerate_swapchain_images(swapchain, 0, &count, nullptr);
        if (result < 0) return result;
        std::vector<XrSwapchainImageVulkanKHR> images(count, {XR_TYPE_SWAPCHAIN_IMAGE_VULKAN_KHR, nullptr, {}});
        result = next.enumerate_swapchain_images(swapchain, count, &count,
                                                 reinterpret_cast<XrSwapchainImageBaseHeader*>(images.data()));
        if (result < 0) return result;
        return make_staging() && make_commands(images) ? XR_SUCCESS : XR_ERROR_OUT_OF_MEMORY;
    }

    bool is_ready() override { return call_.get_fence_status(device_, fence_) == VK_SUCCESS; }

    bool keeps_slices() const override { return true; }
    // Vulkan's first row is the highest, the picture's the lowest.
    void copy_slice(const OverlayPicture& picture, std::uint32_t, std::size_t slice) override {
        constexpr std::ptrdiff_t kRow = std::ptrdiff_t{4} * OverlayPicture::kWidth_px;
        const int first_row = static_cast<int>(slice) * OverlayPicture::kSliceRows;
        for (int row = first_row; row < first_row + OverlayPicture::kSliceRows; ++row)
            std::copy_n(picture.rgba.data() + row * kRow, kRow,
                        staging_ + (OverlayPicture::kHeight_px - 1 - row) * kRow);
    }

    bool finish(std::uint32_t image) override {
        if (call_.reset_fences(device_, 1, &fence_) != VK_SUCCESS) return false;
        VkSubmitInfo info{};
        info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
        info.commandBufferCount = 1;
        info.pCommandBuffers = &commands_[image];
        return call_.queue_submit(queue_, 1, &info, fence_) == VK_SUCCESS;
    }

    void close() override {
        // On a lost device the wait ends with an error, and its objects may be freed.
        if (fence_ != VK_NULL_HANDLE) call_.wait_for_fences(device_, 1, &fence_, VK_TRUE, kMaxWait_ns);
        if (pool_ != VK_NULL_HANDLE) call_.destroy_command_pool(device_, pool_, nullptr);
        if (fence_ != VK_NULL_HANDLE) call_.destroy_fence(device_, fence_, nullptr);
        if (buffer_ != VK_NULL_HANDLE) call_.destroy_buffer(device_, buffer_, nullptr);
        if (memory_ != VK_NULL_HANDLE) call_.free_memory(device_, memory_, nullptr);
        pool_ = VK_NULL_HANDLE;
        fence_ = VK_NULL_HANDLE;
        buffer_ = VK_NULL_HANDLE;
        memory_ = VK_NULL_HANDLE;
    }

  private:
    // Vulkan guarantees such a memory type for buffers.
    std::optional<std::uint32_t> find_memory_type(std::uint32_t types) const {
        constexpr VkMemoryPropertyFlags kWanted =
            VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
        VkPhysicalDeviceMemoryProperties memory{};
        call_.get_memory_properties(physical_device_, &memory);
        for (std::uint32_t i = 0; i < memory.memoryTypeCount; ++i)
            if ((types >> i & 1U) != 0 && (memory.memoryTypes[i].propertyFlags & kWanted) == kWanted) return i;
        return std::nullopt;
    }

    bool make_staging() {
        VkBufferCreateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
        info.size = kBytes;
        info.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
        if (call_.create_buffer(device_, &info, nullptr, &buffer_) != VK_SUCCESS) return false;
        VkMemoryRequirements needs{};
        call_.get_buffer_memory_requirements(device_, buffer_, &needs);
        const auto type = find_memory_type(needs.memoryTypeBits);
        if (!type) return false;
        VkMemoryAllocateInfo allocation{};
        allocation.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
        allocation.allocationSize = needs.size;
        allocation.memoryTypeIndex = *type;
        void* mapped = nullptr;
        if (call_.allocate_memory(device_, &allocation, nullptr, &memory_) != VK_SUCCESS ||
            call_.bind_buffer_memory(device_, buffer_, memory_, 0) != VK_SUCCESS ||
            call_.map_memory(device_, memory_, 0, kBytes, 0, &mapped) != VK_SUCCESS)
            return false;
        staging_ = static_cast<std::uint8_t*>(mapped);
        VkFenceCreateInfo fence{};
        fence.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
        fence.flags = VK_FENCE_CREATE_SIGNALED_BIT;
        return call_.create_fence(device_, &fence, nullptr, &fence_) == VK_SUCCESS;
    }

    bool make_commands(const std::vector<XrSwapchainImageVulkanKHR>& images) {
        VkCommandPoolCreateInfo pool{};
        pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
        pool.queueFamilyIndex = queue_family_;
        if (call_.create_command_pool(device_, &pool, nullptr, &pool_) != VK_SUCCESS) return false;
        commands_.resize(images.size());
        VkCommandBufferAllocateInfo allocation{};
        allocation.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
        allocation.commandPool = pool_;
        allocation.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
        allocation.commandBufferCount = static_cast<std::uint32_t>(images.size());
        if (call_.allocate_command_buffers(device_, &allocation, commands_.data()) != VK_SUCCESS) return false;
        for (std::size_t i = 0; i < images.size(); ++i)
            if (!record_copy(commands_[i], images[i].image)) return false;
        return true;
    }

    // OpenXR hands an image over, and takes it back, in the layout of a color attachment.
    bool record_copy(VkCommandBuffer commands, VkImage image) const {
        VkCommandBufferBeginInfo begin{};
        begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
        if (call_.begin_command_buffer(commands, &begin) != VK_SUCCESS) return false;
        VkImageMemoryBarrier barrier{};
        barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER;
        barrier.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_SHADER_READ_BIT;
        barrier.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
        barrier.oldLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
        barrier.newLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
        barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
        barrier.image = image;
        barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
        call_.cmd_pipeline_barrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0,
                                   nullptr, 0, nullptr, 1, &barrier);
        VkBufferImageCopy copy{};
        copy.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
        copy.imageExtent = {OverlayPicture::kWidth_px, OverlayPicture::kHeight_px, 1};
        call_.cmd_copy_buffer_to_image(commands, buffer_, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
        std::swap(barrier.oldLayout, barrier.newLayout);
        barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
        barrier.dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_SHADER_READ_BIT;
        call_.cmd_pipeline_barrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0,
                                   nullptr, 0, nullptr, 1, &barrier);
        return call_.end_command_buffer(commands) == VK_SUCCESS;
    }

    VkPhysicalDevice physical_device_;
    VkDevice device_;
    std::uint32_t queue_family_;
    VkQueue queue_ = VK_NULL_HANDLE;
    Functions call_;
    VkBuffer buffer_ = VK_NULL_HANDLE;
    VkDeviceMemory memory_ = VK_NULL_HANDLE;
    std::uint8_t* staging_ = nullptr;
    VkFence fence_ = VK_NULL_HANDLE;
    VkCommandPool pool_ = VK_NULL_HANDLE;
    std::vector<VkCommandBuffer> commands_;  // one for each image
};

}  // namespace

std::unique_ptr<OverlayGraphics> vulkan_graphics(const void* chain) {
    const auto* binding = in_chain<XrGraphicsBindingVulkanKHR>(chain, XR_TYPE_GRAPHICS_BINDING_VULKAN_KHR);
    return binding == nullptr ? nullptr : std::make_unique<VulkanGraphics>(*binding);
}

}  // namespace glovebox::vr::layer
#else

namespace glovebox::vr::layer {

std::unique_ptr<OverlayGraphics> vulkan_graphics(const void*) {
    return nullptr;
}

}  // namespace glovebox::vr::layer
#endif
