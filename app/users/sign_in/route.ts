export { showSignIn as GET } from "@/identity/sign-in/sign-in-page";
