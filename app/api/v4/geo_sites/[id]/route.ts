import { apiPreflight } from "@/api/cors";
import { geoSite as entity } from "@/api/entities/geo";
import { changeOf, readingOf, removalOf } from "@/api/geo";

export const GET = readingOf(entity);
export const PUT = changeOf(entity);
export const DELETE = removalOf();
export const OPTIONS = apiPreflight;
