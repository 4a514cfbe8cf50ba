export { postSession as POST } from "@/features/sign-in/session-form";
