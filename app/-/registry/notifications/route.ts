export { takeNotifications as POST } from "@/registry/notifications";
