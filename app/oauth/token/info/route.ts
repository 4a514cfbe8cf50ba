import { CORS, preflight } from "@/oauth-endpoints/cors";
import { oauthEndpoint } from "@/oauth-endpoints/endpoint";
import { tokenInfo, tokenInfoDeprecation } from "@/oauth-endpoints/token-info";

export const GET = oauthEndpoint(tokenInfo, CORS.tokenInfo, 200, tokenInfoDeprecation);
export const OPTIONS = preflight(CORS.tokenInfo);
