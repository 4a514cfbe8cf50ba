import { CORS, preflight } from "@/oauth/cors";
import { discovery } from "@/oauth/discovery";

export const GET = discovery;
export const OPTIONS = preflight(CORS.discovery);
