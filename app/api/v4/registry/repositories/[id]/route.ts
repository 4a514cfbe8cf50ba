import { openInstance } from "@/http-api/access-rules";
import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { containerRepository } from "@/registries/api/entities/container-repository";
import { readRepository, singleRepository } from "@/registries/api/registry";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "Get a container repository",
  in: openInstance(),
  input: singleRepository,
  response: one(containerRepository),
  run: readRepository,
});
export const OPTIONS = apiPreflight;
