import { geoNodeStatus as entity } from "@/fleet/api/entities/geo";
import { reportOf, statusOf } from "@/fleet/api/geo";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint(statusOf(entity));
export const POST = endpoint(reportOf(entity));
export const OPTIONS = apiPreflight;
