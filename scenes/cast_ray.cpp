#include "scenes/cast_ray.h"

namespace glovebox::scenes {

std::optional<ObjectHit> cast_ray(const Scene& scene, const World& world, const collision::Ray& ray) {
    std::optional<ObjectHit> first;
    collision::CollideCounts not_counted;
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
        const Eigen::Isometry3f& world_from_object = world.world_from_object[i];
        const Eigen::Isometry3f object_from_world = world_from_object.inverse(Eigen::Isometry);
        const collision::Ray in_object{object_from_world * ray.from_m, object_from_world.linear() * ray.direction,
                                       first ? first->at.distance_m : ray.length_m};
        const auto hit = collision::cast_ray(in_object, scene.objects[i].shape, not_counted);
        if (!hit || (first && !(hit->distance_m < first->at.distance_m))) continue;
        first = {static_cast<std::int32_t>(i),
                 {hit->distance_m, world_from_object * hit->point_m, world_from_object.linear() * hit->normal,
                  hit->triangle}};
    }
    return first;
}

}  // namespace glovebox::scenes
