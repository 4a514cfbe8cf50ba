import { geoNodeStatus as entity } from "@/fleet/api/entities/geo";
import { statusesOf } from "@/fleet/api/geo";
import { apiPreflight } from "@/oauth/api/cors";

export const GET = statusesOf(entity);
export const OPTIONS = apiPreflight;
