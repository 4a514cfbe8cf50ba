import { CORS, preflight } from "@/oauth-endpoints/cors";
import { oauthEndpoint } from "@/oauth-endpoints/endpoint";
import { revoke } from "@/oauth-endpoints/revoke";

export const POST = oauthEndpoint(revoke, CORS.revoke);
export const OPTIONS = preflight(CORS.revoke);
