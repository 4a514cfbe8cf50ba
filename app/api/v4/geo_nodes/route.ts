import { apiPreflight } from "@/api/cors";
import { geoNode as entity } from "@/api/entities/geo";
import { creationOf, listOf } from "@/api/geo";

export const GET = listOf(entity);
export const POST = creationOf(entity);
export const OPTIONS = apiPreflight;
