import { geoNode as entity } from "@/fleet/api/entities/geo";
import { changeOf, readingOf, removalOf } from "@/fleet/api/geo";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint(readingOf(entity));
export const PUT = endpoint(changeOf(entity));
export const DELETE = endpoint(removalOf());
export const OPTIONS = apiPreflight;
