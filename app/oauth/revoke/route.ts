import { CORS, preflight } from "@/oauth/cors";
import { oauthEndpoint } from "@/oauth/endpoint";
import { revoke } from "@/oauth/revoke";

export const POST = oauthEndpoint(revoke, CORS.revoke);
export const OPTIONS = preflight(CORS.revoke);
