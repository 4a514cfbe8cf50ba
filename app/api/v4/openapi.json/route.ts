import { apiItself } from "@/http-api/access-rules";
import { one } from "@/http-api/answers";
import { openApiDocument } from "@/http-api/openapi";
import { apiPreflight } from "@/oauth/api/cors";
import { describeApi } from "@/server/api-document";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "Get the OpenAPI 3.1 document of the API",
  in: apiItself(),
  answer: one(openApiDocument),
  run: describeApi,
});
export const OPTIONS = apiPreflight;
