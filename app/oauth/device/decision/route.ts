export { decide as POST } from "@/oauth-endpoints/device";
