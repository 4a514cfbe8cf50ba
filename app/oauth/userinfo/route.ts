import { CORS, preflight } from "@/oauth-endpoints/cors";
import { oauthEndpoint } from "@/oauth-endpoints/endpoint";
import { userinfo } from "@/oauth-endpoints/userinfo";

export const GET = oauthEndpoint(userinfo, CORS.userinfo);
export const POST = GET;
export const OPTIONS = preflight(CORS.userinfo);
