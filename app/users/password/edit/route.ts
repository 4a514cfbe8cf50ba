export { showNewPassword as GET } from "@/identity/password-reset/new-password-page";
