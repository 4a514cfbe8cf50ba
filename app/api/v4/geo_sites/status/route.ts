import { apiPreflight } from "@/api/cors";
import { geoSiteStatus as entity } from "@/api/entities/geo";
import { statusesOf } from "@/api/geo";

export const GET = statusesOf(entity);
export const OPTIONS = apiPreflight;
