import { openEndpoint } from "@/http-api/endpoint";
import { apiPreflight } from "@/oauth/api/cors";
import { containerRepository } from "@/registries/api/entities/container-repository";
import { oneRepository, readRepository } from "@/registries/api/registry";

export const GET = openEndpoint({
  summary: "A container repository",
  input: oneRepository,
  run: readRepository,
  entity: containerRepository,
});
export const OPTIONS = apiPreflight;
