import { none, one } from "@/http-api/answers";
import { administrator } from "@/http-api/places";
import {
  applicationReference,
  changeApplicationScopes,
  deleteApplication,
  scopeChange,
} from "@/oauth/api/applications";
import { apiPreflight } from "@/oauth/api/cors";
import { application } from "@/oauth/api/entities/application";
import { endpoint } from "@/server/rest-api";

export const PUT = endpoint({
  summary: "Changes the scopes of an application of the instance",
  in: administrator(),
  input: scopeChange,
  answer: one(application),
  run: changeApplicationScopes,
});
export const DELETE = endpoint({
  summary: "Removes an application of the instance, with its codes and tokens",
  in: administrator(),
  input: applicationReference,
  answer: none(),
  run: deleteApplication,
});
export const OPTIONS = apiPreflight;
