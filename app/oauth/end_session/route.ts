export { confirmEndSession as POST, endSession as GET } from "@/oauth-endpoints/end-session";
