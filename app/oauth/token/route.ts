import { CORS, preflight } from "@/oauth-endpoints/cors";
import { oauthEndpoint } from "@/oauth-endpoints/endpoint";
import { token } from "@/oauth-endpoints/grants/token-endpoint";

export const POST = oauthEndpoint(token, CORS.token);
export const OPTIONS = preflight(CORS.token);
