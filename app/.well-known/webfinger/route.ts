import { CORS, preflight } from "@/oauth/cors";
import { webfinger } from "@/oauth/webfinger";

export const GET = webfinger;
export const OPTIONS = preflight(CORS.discovery);
