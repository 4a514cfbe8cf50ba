import { apiEndpoint } from "@/http-api/endpoint";
import { apiPreflight } from "@/oauth/api/cors";
import { namespaceExistence } from "@/workspace/api/entities/namespace";
import { namespaceCheck, readExistence } from "@/workspace/api/namespaces";

export const GET = apiEndpoint({
  summary: "Whether a path is taken by a namespace, with a path that is free",
  input: namespaceCheck,
  run: readExistence,
  entity: namespaceExistence,
});
export const OPTIONS = apiPreflight;
