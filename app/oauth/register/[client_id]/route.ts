import { CORS, preflight } from "@/oauth-endpoints/cors";
import { changeClient, readClient, removeClient } from "@/oauth-endpoints/register";

export const GET = readClient;
export const PUT = changeClient;
export const DELETE = removeClient;
export const OPTIONS = preflight(CORS.registration);
