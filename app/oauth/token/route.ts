import { CORS, preflight } from "@/oauth/cors";
import { oauthEndpoint } from "@/oauth/endpoint";
import { token } from "@/oauth/token";

export const POST = oauthEndpoint(token, CORS.token);
export const OPTIONS = preflight(CORS.token);
