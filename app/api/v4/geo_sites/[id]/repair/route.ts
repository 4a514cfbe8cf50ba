import { apiPreflight } from "@/api/cors";
import { geoSiteStatus as entity } from "@/api/entities/geo";
import { repairOf } from "@/api/geo";

export const POST = repairOf(entity);
export const OPTIONS = apiPreflight;
