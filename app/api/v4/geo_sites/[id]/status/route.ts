import { apiPreflight } from "@/api/cors";
import { geoSiteStatus as entity } from "@/api/entities/geo";
import { reportOf, statusOf } from "@/api/geo";

export const GET = statusOf(entity);
export const POST = reportOf(entity);
export const OPTIONS = apiPreflight;
