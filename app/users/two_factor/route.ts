export { showSecondFactor as GET } from "@/identity/sign-in/second-factor-page";
