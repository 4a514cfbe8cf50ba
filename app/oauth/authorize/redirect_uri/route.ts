export { postRedirectUri as POST } from "@/oauth-endpoints/add-redirect-uri";
