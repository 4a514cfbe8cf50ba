import { geoNodeStatus as entity } from "@/fleet/api/entities/geo";
import { reportOf, statusOf } from "@/fleet/api/geo";
import { apiPreflight } from "@/oauth/api/cors";

export const GET = statusOf(entity);
export const POST = reportOf(entity);
export const OPTIONS = apiPreflight;
