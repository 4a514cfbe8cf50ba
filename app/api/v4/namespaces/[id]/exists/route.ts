import { apiPreflight } from "@/api/cors";
import { apiEndpoint } from "@/api/endpoint";
import { namespaceExistence } from "@/api/entities/namespace";
import { namespaceCheck, readExistence } from "@/api/namespaces";

export const GET = apiEndpoint({
  summary: "Whether a path is taken by a namespace, with a path that is free",
  input: namespaceCheck,
  run: readExistence,
  entity: namespaceExistence,
});
export const OPTIONS = apiPreflight;
