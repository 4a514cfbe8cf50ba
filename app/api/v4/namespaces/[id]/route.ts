import { apiPreflight } from "@/api/cors";
import { apiEndpoint } from "@/api/endpoint";
import { namespace } from "@/api/entities/namespace";
import { namespaceReference, readNamespace } from "@/api/namespaces";

export const GET = apiEndpoint({
  summary: "A group, or the namespace of a user, by its id or full path",
  input: namespaceReference,
  run: readNamespace,
  entity: namespace,
});
export const OPTIONS = apiPreflight;
