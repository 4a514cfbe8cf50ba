export { takeNotifications as POST } from "@/registries/container-registry/notifications";
