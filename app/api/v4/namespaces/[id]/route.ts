import { apiEndpoint } from "@/http-api/endpoint";
import { apiPreflight } from "@/oauth/api/cors";
import { namespace } from "@/workspace/api/entities/namespace";
import { namespaceReference, readNamespace } from "@/workspace/api/namespaces";

export const GET = apiEndpoint({
  summary: "A group, or the namespace of a user, by its id or full path",
  input: namespaceReference,
  run: readNamespace,
  entity: namespace,
});
export const OPTIONS = apiPreflight;
