import { CORS, preflight } from "@/oauth-endpoints/cors";
import { oauthEndpoint } from "@/oauth-endpoints/endpoint";
import { pushAuthorizationRequest } from "@/oauth-endpoints/par";

export const POST = oauthEndpoint(pushAuthorizationRequest, CORS.par, 201);
export const OPTIONS = preflight(CORS.par);
