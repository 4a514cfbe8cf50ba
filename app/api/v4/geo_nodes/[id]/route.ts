import { geoNode as entity } from "@/fleet/api/entities/geo";
import { changeOf, readingOf, removalOf } from "@/fleet/api/geo";
import { apiPreflight } from "@/oauth/api/cors";

export const GET = readingOf(entity);
export const PUT = changeOf(entity);
export const DELETE = removalOf();
export const OPTIONS = apiPreflight;
