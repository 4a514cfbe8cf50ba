export { leaveProviderSignIn as GET, startProviderSignIn as POST } from "@/identity/provider-sign-in/start";
