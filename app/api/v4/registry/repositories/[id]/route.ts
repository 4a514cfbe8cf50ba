import { apiPreflight } from "@/api/cors";
import { openEndpoint } from "@/api/endpoint";
import { containerRepository } from "@/api/entities/container-repository";
import { oneRepository, readRepository } from "@/api/registry";

export const GET = openEndpoint({
  summary: "A container repository",
  input: oneRepository,
  run: readRepository,
  entity: containerRepository,
});
export const OPTIONS = apiPreflight;
