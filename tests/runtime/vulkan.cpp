#include "tests/runtime/vulkan.h"

#include "tests/runtime/functions.h"

#ifdef HAND_RUNTIME_VULKAN
#define VK_NO_PROTOTYPES
#include <dlfcn.h>
#include <vulkan/vulkan.h>
#define XR_USE_GRAPHICS_API_VULKAN
#include <openxr/openxr_platform.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace glovebox::tests::runtime {
namespace {

// Returns a function of the Vulkan loader that the application has loaded.
template <class Function>
Function function_of_application(const char* name) {
    void* library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_NOLOAD);
    return library == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(library, name));
}
PFN_vkGetInstanceProcAddr vulkan_of_application() {
    return function_of_application<PFN_vkGetInstanceProcAddr>("vkGetInstanceProcAddr");
}

struct Image {
    VkImage image = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
};

class Device : public Vulkan {
  public:
    explicit Device(const XrGraphicsBindingVulkanKHR& binding) : binding_(binding) {}
    ~Device() override {
        if (pool_ != VK_NULL_HANDLE) call<PFN_vkDestroyCommandPool>("vkDestroyCommandPool")(device(), pool_, nullptr);
    }
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    bool open() {
        const auto of_instance = vulkan_of_application();
        if (of_instance == nullptr) return false;
        of_device_ = reinterpret_cast<PFN_vkGetDeviceProcAddr>(of_instance(binding_.instance, "vkGetDeviceProcAddr"));
        get_memory_properties_ = reinterpret_cast<PFN_vkGetPhysicalDeviceMemoryProperties>(
            of_instance(binding_.instance, "vkGetPhysicalDeviceMemoryProperties"));
        if (of_device_ == nullptr || get_memory_properties_ == nullptr) return false;
        call<PFN_vkGetDeviceQueue>("vkGetDeviceQueue")(device(), binding_.queueFamilyIndex, binding_.queueIndex,
                                                       &queue_);
        VkCommandPoolCreateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
        info.flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
        info.queueFamilyIndex = binding_.queueFamilyIndex;
        return call<PFN_vkCreateCommandPool>("vkCreateCommandPool")(device(), &info, nullptr, &pool_) == VK_SUCCESS;
    }

    std::vector<std::uint32_t> make_images(const XrSwapchainCreateInfo& info, std::size_t count) override {
        std::vector<std::uint32_t> made;
        for (std::size_t i = 0; i < count; ++i) {
            const auto image = make_image(info);
            if (!image) {
                drop_images(made);
                return {};
            }
            images_[++last_] = *image;
            made.push_back(last_);
        }
        return made;
    }

    void drop_images(const std::vector<std::uint32_t>& images) override {
        call<PFN_vkQueueWaitIdle>("vkQueueWaitIdle")(queue_);
        for (const std::uint32_t each : images) {
            const Image image = std::exchange(images_[each], {});
            call<PFN_vkDestroyImage>("vkDestroyImage")(device(), image.image, nullptr);
            call<PFN_vkFreeMemory>("vkFreeMemory")(device(), image.memory, nullptr);
        }
    }

    std::uint64_t handle_of(std::uint32_t image) const override {
        return reinterpret_cast<std::uint64_t>(images_.at(image).image);
    }

    // The format is eight bits for each of four channels.
    Picture read_back(const Swapchain& swapchain, const XrSwapchainSubImage& part) override {
        const VkDeviceSize bytes = VkDeviceSize{4} * swapchain.width * swapchain.height;
        Picture picture;
        picture.width = part.imageRect.extent.width;
        picture.height = part.imageRect.extent.height;
        picture.rgba.assign(static_cast<std::size_t>(4 * picture.width * picture.height), 0);
        VkBufferCreateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
        info.size = bytes;
        info.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
        VkBuffer buffer = VK_NULL_HANDLE;
        call<PFN_vkCreateBuffer>("vkCreateBuffer")(device(), &info, nullptr, &buffer);
        VkMemoryRequirements needs{};
        call<PFN_vkGetBufferMemoryRequirements>("vkGetBufferMemoryRequirements")(device(), buffer, &needs);
        const VkDeviceMemory memory =
            allocate(needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
        call<PFN_vkBindBufferMemory>("vkBindBufferMemory")(device(), buffer, memory, 0);
        const VkImage image = images_.at(swapchain.textures[static_cast<std::size_t>(swapchain.last_released)]).image;
        const std::uint32_t layer = part.imageArrayIndex;
        run([&](VkCommandBuffer commands) {
            constexpr auto kAttachment = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                           kSource = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
            change_layout(commands, image, VK_IMAGE_ASPECT_COLOR_BIT, layer, 1, kAttachment, kSource);
            VkBufferImageCopy copy{};
            copy.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, layer, 1};
            copy.imageExtent = {swapchain.width, swapchain.height, 1};
            call<PFN_vkCmdCopyImageToBuffer>("vkCmdCopyImageToBuffer")(commands, image, kSource, buffer, 1, &copy);
            change_layout(commands, image, VK_IMAGE_ASPECT_COLOR_BIT, layer, 1, kSource, kAttachment);
        });
        void* mapped = nullptr;
        call<PFN_vkMapMemory>("vkMapMemory")(device(), memory, 0, bytes, 0, &mapped);
        for (int y = 0; mapped != nullptr && y < picture.height; ++y) {
            const std::size_t row = static_cast<std::size_t>(part.imageRect.offset.y + y) * swapchain.width +
                                    static_cast<std::size_t>(part.imageRect.offset.x);
            std::copy_n(static_cast<const std::uint8_t*>(mapped) + 4 * row, 4 * picture.width, picture.at(0, y));
        }
        call<PFN_vkDestroyBuffer>("vkDestroyBuffer")(device(), buffer, nullptr);
        call<PFN_vkFreeMemory>("vkFreeMemory")(device(), memory, nullptr);
        return picture;
    }

  private:
    template <class Function>
    Function call(const char* name) const {
        return reinterpret_cast<Function>(of_device_(binding_.device, name));
    }
    VkDevice device() const { return binding_.device; }

    VkDeviceMemory allocate(const VkMemoryRequirements& needs, VkMemoryPropertyFlags wanted) const {
        VkPhysicalDeviceMemoryProperties types{};
        get_memory_properties_(binding_.physicalDevice, &types);
        VkMemoryAllocateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
        info.allocationSize = needs.size;
        while (info.memoryTypeIndex < types.memoryTypeCount &&
               ((needs.memoryTypeBits >> info.memoryTypeIndex & 1U) == 0 ||
                (types.memoryTypes[info.memoryTypeIndex].propertyFlags & wanted) != wanted))
            ++info.memoryTypeIndex;
        VkDeviceMemory memory = VK_NULL_HANDLE;
        call<PFN_vkAllocateMemory>("vkAllocateMemory")(device(), &info, nullptr, &memory);
        return memory;
    }

    void change_layout(VkCommandBuffer commands, VkImage image, VkImageAspectFlags aspect, std::uint32_t first_layer,
                       std::uint32_t layers, VkImageLayout from, VkImageLayout to) const {
        VkImageMemoryBarrier barrier{};
        barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER;
        barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
        barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
        barrier.oldLayout = from;
        barrier.newLayout = to;
        barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
        barrier.image = image;
        barrier.subresourceRange = {aspect, 0, 1, first_layer, layers};
        call<PFN_vkCmdPipelineBarrier>("vkCmdPipelineBarrier")(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                                               VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr, 0,
                                                               nullptr, 1, &barrier);
    }

    // Records commands, runs them and waits for their end.
    template <class Record>
    void run(const Record& record) const {
        VkCommandBufferAllocateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
        info.commandPool = pool_;
        info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
        info.commandBufferCount = 1;
        VkCommandBuffer commands = VK_NULL_HANDLE;
        call<PFN_vkAllocateCommandBuffers>("vkAllocateCommandBuffers")(device(), &info, &commands);
        VkCommandBufferBeginInfo begin{};
        begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
        begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
        call<PFN_vkBeginCommandBuffer>("vkBeginCommandBuffer")(commands, &begin);
        record(commands);
        call<PFN_vkEndCommandBuffer>("vkEndCommandBuffer")(commands);
        VkSubmitInfo submit{};
        submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
        submit.commandBufferCount = 1;
        submit.pCommandBuffers = &commands;
        call<PFN_vkQueueSubmit>("vkQueueSubmit")(queue_, 1, &submit, VK_NULL_HANDLE);
        call<PFN_vkQueueWaitIdle>("vkQueueWaitIdle")(queue_);
        call<PFN_vkFreeCommandBuffers>("vkFreeCommandBuffers")(device(), pool_, 1, &commands);
    }

    std::optional<Image> make_image(const XrSwapchainCreateInfo& from) const {
        const bool is_depth = is_depth_format(from.format);
        VkImageCreateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
        info.imageType = VK_IMAGE_TYPE_2D;
        info.format = static_cast<VkFormat>(from.format);
        info.extent = {from.width, from.height, 1};
        info.mipLevels = 1;
        info.arrayLayers = from.arraySize;
        info.samples = VK_SAMPLE_COUNT_1_BIT;
        info.tiling = VK_IMAGE_TILING_OPTIMAL;
        info.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT;  // for reading back
        constexpr std::pair<XrSwapchainUsageFlags, VkImageUsageFlags> kUsages[] = {
            {XR_SWAPCHAIN_USAGE_COLOR_ATTACHMENT_BIT, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT},
            {XR_SWAPCHAIN_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT},
            {XR_SWAPCHAIN_USAGE_TRANSFER_DST_BIT, VK_IMAGE_USAGE_TRANSFER_DST_BIT},
            {XR_SWAPCHAIN_USAGE_SAMPLED_BIT, VK_IMAGE_USAGE_SAMPLED_BIT}};
        for (const auto& [asked, usage] : kUsages)
            if ((from.usageFlags & asked) != 0) info.usage |= usage;
        Image made;
        if (call<PFN_vkCreateImage>("vkCreateImage")(device(), &info, nullptr, &made.image) != VK_SUCCESS)
            return std::nullopt;
        VkMemoryRequirements needs{};
        call<PFN_vkGetImageMemoryRequirements>("vkGetImageMemoryRequirements")(device(), made.image, &needs);
        made.memory = allocate(needs, 0);
        call<PFN_vkBindImageMemory>("vkBindImageMemory")(device(), made.image, made.memory, 0);
        run([&](VkCommandBuffer commands) {
            change_layout(
                commands, made.image, is_depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT, 0,
                from.arraySize, VK_IMAGE_LAYOUT_UNDEFINED,
                is_depth ? VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL : VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
        });
        return made;
    }

    XrGraphicsBindingVulkanKHR binding_;
    PFN_vkGetDeviceProcAddr of_device_ = nullptr;
    PFN_vkGetPhysicalDeviceMemoryProperties get_memory_properties_ = nullptr;
    VkQueue queue_ = VK_NULL_HANDLE;
    VkCommandPool pool_ = VK_NULL_HANDLE;
    std::map<std::uint32_t, Image> images_;
    std::uint32_t last_ = 0;
};

}  // namespace

std::unique_ptr<Vulkan> bind_vulkan(const XrSessionCreateInfo& info, std::string& fault) {
    const auto* binding = in_chain<XrGraphicsBindingVulkanKHR>(info.next, XR_TYPE_GRAPHICS_BINDING_VULKAN_KHR);
    if (binding == nullptr) return nullptr;
    auto device = std::make_unique<Device>(*binding);
    if (device->open()) return device;
    fault = "the binding's Vulkan device cannot be used";
    return nullptr;
}

XrResult get_vulkan_graphics_requirements(XrInstance handle, XrSystemId system, void* untyped) {
    Instance* instance = nullptr;
    if (const XrResult result = look_up(handle, instance); result < 0) return result;
    if (system != 1) return refuse(XR_ERROR_SYSTEM_INVALID, "no such system");
    auto* out = static_cast<XrGraphicsRequirementsVulkanKHR*>(untyped);
    GLOVEBOX_REQUIRE_TYPE(out, XR_TYPE_GRAPHICS_REQUIREMENTS_VULKAN_KHR);
    out->minApiVersionSupported = XR_MAKE_VERSION(1, 0, 0);
    out->maxApiVersionSupported = XR_MAKE_VERSION(1, 3, 0);
    instance->graphics_requirements_asked = true;
    return XR_SUCCESS;
}

XrResult create_vulkan_instance(XrInstance handle, const void* untyped, void* out, void* result_out) {
    Instance* instance = nullptr;
    if (const XrResult result = look_up(handle, instance); result < 0) return result;
    const auto* info = static_cast<const XrVulkanInstanceCreateInfoKHR*>(untyped);
    GLOVEBOX_REQUIRE_TYPE(info, XR_TYPE_VULKAN_INSTANCE_CREATE_INFO_KHR);
    const auto create =
        reinterpret_cast<PFN_vkCreateInstance>(info->pfnGetInstanceProcAddr(VK_NULL_HANDLE, "vkCreateInstance"));
    *static_cast<VkResult*>(result_out) =
        create(info->vulkanCreateInfo, info->vulkanAllocator, static_cast<VkInstance*>(out));
    return XR_SUCCESS;
}

XrResult get_vulkan_graphics_device(XrInstance handle, const void* untyped, void* out) {
    Instance* instance = nullptr;
    if (const XrResult result = look_up(handle, instance); result < 0) return result;
    const auto* info = static_cast<const XrVulkanGraphicsDeviceGetInfoKHR*>(untyped);
    GLOVEBOX_REQUIRE_TYPE(info, XR_TYPE_VULKAN_GRAPHICS_DEVICE_GET_INFO_KHR);
    const auto of_instance = vulkan_of_application();
    if (of_instance == nullptr) return refuse(XR_ERROR_RUNTIME_FAILURE, "Vulkan's loader is not loaded");
    const auto enumerate = reinterpret_cast<PFN_vkEnumeratePhysicalDevices>(
        of_instance(info->vulkanInstance, "vkEnumeratePhysicalDevices"));
    std::uint32_t count = 1;
    if (enumerate(info->vulkanInstance, &count, static_cast<VkPhysicalDevice*>(out)) < 0 || count == 0)
        return refuse(XR_ERROR_RUNTIME_FAILURE, "there is no Vulkan device");
    return XR_SUCCESS;
}

XrResult create_vulkan_device(XrInstance handle, const void* untyped, void* out, void* result_out) {
    Instance* instance = nullptr;
    if (const XrResult result = look_up(handle, instance); result < 0) return result;
    const auto* info = static_cast<const XrVulkanDeviceCreateInfoKHR*>(untyped);
    GLOVEBOX_REQUIRE_TYPE(info, XR_TYPE_VULKAN_DEVICE_CREATE_INFO_KHR);
    const auto create = function_of_application<PFN_vkCreateDevice>("vkCreateDevice");
    if (create == nullptr) return refuse(XR_ERROR_RUNTIME_FAILURE, "Vulkan's loader is not loaded");
    *static_cast<VkResult*>(result_out) =
        create(info->vulkanPhysicalDevice, info->vulkanCreateInfo, info->vulkanAllocator, static_cast<VkDevice*>(out));
    return XR_SUCCESS;
}

}  // namespace glovebox::tests::runtime

#else

namespace glovebox::tests::runtime {

std::unique_ptr<Vulkan> bind_vulkan(const XrSessionCreateInfo&, std::string&) {
    return nullptr;
}
XrResult get_vulkan_graphics_requirements(XrInstance, XrSystemId, void*) {
    return XR_ERROR_FUNCTION_UNSUPPORTED;
}
XrResult create_vulkan_instance(XrInstance, const void*, void*, void*) {
    return XR_ERROR_FUNCTION_UNSUPPORTED;
}
XrResult get_vulkan_graphics_device(XrInstance, const void*, void*) {
    return XR_ERROR_FUNCTION_UNSUPPORTED;
}
XrResult create_vulkan_device(XrInstance, const void*, void*, void*) {
    return XR_ERROR_FUNCTION_UNSUPPORTED;
}

}  // namespace glovebox::tests::runtime
#endif
