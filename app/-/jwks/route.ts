import { CORS, preflight } from "@/oauth-endpoints/cors";
import { jwks } from "@/oauth-endpoints/discovery";

export const GET = jwks;
export const OPTIONS = preflight(CORS.discovery);
