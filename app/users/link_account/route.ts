export { postLinkAccount as POST, showLinkAccount as GET } from "@/identity/provider-sign-in/link-page";
