import { CORS, preflight } from "@/oauth-endpoints/cors";
import { webfinger } from "@/oauth-endpoints/webfinger";

export const GET = webfinger;
export const OPTIONS = preflight(CORS.discovery);
