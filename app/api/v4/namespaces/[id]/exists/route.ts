import { instance } from "@/http-api/access-rules";
import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { namespaceExistence } from "@/workspace/api/entities/namespace";
import { namespaceCheck, readExistence } from "@/workspace/api/namespaces";

export const GET = endpoint({
  summary: "Check whether a namespace exists, and suggest an available path",
  in: instance(),
  input: namespaceCheck,
  response: one(namespaceExistence),
  run: readExistence,
});
export const OPTIONS = apiPreflight;
