import { CORS, preflight } from "@/oauth-endpoints/cors";
import { oauthEndpoint } from "@/oauth-endpoints/endpoint";
import { register } from "@/oauth-endpoints/register";

export const POST = oauthEndpoint(register, CORS.registration, 201);
export const OPTIONS = preflight(CORS.registration);
