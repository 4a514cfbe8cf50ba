import { geoSite as entity } from "@/fleet/api/entities/geo";
import { creationOf, listOf } from "@/fleet/api/geo";
import { apiPreflight } from "@/oauth/api/cors";

export const GET = listOf(entity);
export const POST = creationOf(entity);
export const OPTIONS = apiPreflight;
