import { CORS, preflight } from "@/oauth-endpoints/cors";
import { oauthEndpoint } from "@/oauth-endpoints/endpoint";
import { tokenInfo } from "@/oauth-endpoints/token-info";

export const GET = oauthEndpoint(tokenInfo, CORS.tokenInfo);
export const OPTIONS = preflight(CORS.tokenInfo);
