import { CORS, preflight } from "@/oauth-endpoints/cors";
import { discovery } from "@/oauth-endpoints/discovery";

export const GET = discovery;
export const OPTIONS = preflight(CORS.discovery);
