import { geoNodeStatus as entity } from "@/fleet/api/entities/geo";
import { repairOf } from "@/fleet/api/geo";
import { apiPreflight } from "@/oauth/api/cors";

export const POST = repairOf(entity);
export const OPTIONS = apiPreflight;
