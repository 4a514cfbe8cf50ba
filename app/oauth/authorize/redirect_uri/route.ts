export { postRedirectUri as POST } from "@/oauth/add-redirect-uri";
