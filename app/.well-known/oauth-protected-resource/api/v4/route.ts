import { CORS, preflight } from "@/oauth-endpoints/cors";
import { protectedResource } from "@/oauth-endpoints/protected-resource";

export const GET = protectedResource("/api/v4");
export const OPTIONS = preflight(CORS.discovery);
