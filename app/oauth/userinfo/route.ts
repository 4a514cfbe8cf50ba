import { CORS, preflight } from "@/oauth/cors";
import { oauthEndpoint } from "@/oauth/endpoint";
import { userinfo } from "@/oauth/userinfo";

export const GET = oauthEndpoint(userinfo, CORS.userinfo);
export const POST = GET;
export const OPTIONS = preflight(CORS.userinfo);
