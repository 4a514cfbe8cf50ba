export { confirmEndSession as POST, endSession as GET } from "@/oauth/end-session";
