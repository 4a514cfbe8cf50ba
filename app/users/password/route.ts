export { postPassword as POST } from "@/identity/password-reset/new-password-page";
