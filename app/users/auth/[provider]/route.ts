export { startProviderSignIn as POST } from "@/identity/provider-sign-in/start";
