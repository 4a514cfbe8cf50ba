import { CORS, preflight } from "@/oauth/cors";
import { oauthEndpoint } from "@/oauth/endpoint";
import { tokenInfo } from "@/oauth/token-info";

export const GET = oauthEndpoint(tokenInfo, CORS.tokenInfo);
export const OPTIONS = preflight(CORS.tokenInfo);
