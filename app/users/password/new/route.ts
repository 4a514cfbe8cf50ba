export { showResetRequest as GET } from "@/identity/password-reset/request-page";
