import { geoSiteStatus as entity } from "@/fleet/api/entities/geo";
import { repairOf } from "@/fleet/api/geo";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";

export const POST = endpoint(repairOf(entity));
export const OPTIONS = apiPreflight;
