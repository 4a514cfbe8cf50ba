export { decide as POST, leaveDecision as GET } from "@/oauth-endpoints/device";
