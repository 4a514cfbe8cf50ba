export { postSession as POST } from "@/identity/sign-in/session-form";
