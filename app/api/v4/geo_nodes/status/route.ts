import { geoNodeStatus as entity } from "@/fleet/api/entities/geo";
import { statusesOf } from "@/fleet/api/geo";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint(statusesOf(entity));
export const OPTIONS = apiPreflight;
