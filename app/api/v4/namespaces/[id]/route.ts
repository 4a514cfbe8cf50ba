import { instance } from "@/http-api/access-rules";
import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { namespace } from "@/workspace/api/entities/namespace";
import { namespaceReference, readNamespace } from "@/workspace/api/namespaces";

export const GET = endpoint({
  summary: "Get a namespace by its id or full path",
  in: instance(),
  input: namespaceReference,
  response: one(namespace),
  run: readNamespace,
});
export const OPTIONS = apiPreflight;
