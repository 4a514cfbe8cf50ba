export { showConsent as GET } from "@/oauth-endpoints/consent";
