import { CORS, preflight } from "@/oauth/cors";
import { jwks } from "@/oauth/discovery";

export const GET = jwks;
export const OPTIONS = preflight(CORS.discovery);
