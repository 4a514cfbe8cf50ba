import { apiItself } from "@/http-api/access-rules";
import { openApiDocument } from "@/http-api/openapi";
import { unchanging } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { describeApi } from "@/server/api-document";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "Get the OpenAPI 3.1 document of the API",
  in: apiItself(),
  response: unchanging(openApiDocument),
  run: describeApi,
});
export const OPTIONS = apiPreflight;
