export { finishProviderSignIn as GET } from "@/identity/provider-sign-in/callback";
