export { handleNotifications as POST } from "@/registries/container-registry/notifications";
