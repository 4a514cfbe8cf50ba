export { getLogo as GET } from "@/oauth/applications/logo-picture";
