import { geoSite as entity } from "@/fleet/api/entities/geo";
import { creationOf, listOf } from "@/fleet/api/geo";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint(listOf(entity));
export const POST = endpoint(creationOf(entity));
export const OPTIONS = apiPreflight;
