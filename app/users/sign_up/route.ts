export { showSignUp as GET } from "@/identity/sign-in/sign-up-page";
