export { enterCode as POST, showCodeForm as GET } from "@/oauth-endpoints/device";
