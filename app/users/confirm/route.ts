export { showConfirm as GET } from "@/identity/sign-in/confirm-page";
