export { authorize as GET, decide as POST } from "@/oauth-endpoints/authorize";
