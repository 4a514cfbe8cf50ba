import { apiPreflight } from "@/oauth/api/cors";
import { mcp } from "@/server/mcp";

export const POST = mcp;
export const OPTIONS = apiPreflight;
