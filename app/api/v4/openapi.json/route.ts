import { apiPreflight } from "@/api/cors";
import { aboutApi } from "@/api/endpoint";
import { describeApi, openApiDocument } from "@/api/openapi";

export const GET = aboutApi({
  summary: "The API as an OpenAPI 3.1 document",
  run: describeApi,
  entity: openApiDocument,
});
export const OPTIONS = apiPreflight;
