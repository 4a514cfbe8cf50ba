export { decide as POST } from "@/oauth/device";
