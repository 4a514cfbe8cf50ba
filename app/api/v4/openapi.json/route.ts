import { aboutApi } from "@/http-api/endpoint";
import { describeApi, openApiDocument } from "@/http-api/openapi";
import { apiPreflight } from "@/oauth/api/cors";

export const GET = aboutApi({
  summary: "The API as an OpenAPI 3.1 document",
  run: describeApi,
  entity: openApiDocument,
});
export const OPTIONS = apiPreflight;
