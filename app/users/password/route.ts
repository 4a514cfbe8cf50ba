export { leavePassword as GET, postPassword as POST } from "@/identity/password-reset/new-password-page";
