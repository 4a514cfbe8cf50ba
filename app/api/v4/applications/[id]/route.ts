import { administrator } from "@/http-api/access-rules";
import { none, one } from "@/http-api/responses";
import {
  applicationChange,
  applicationReference,
  changeApplication,
  deleteApplication,
} from "@/oauth/api/applications";
import { apiPreflight } from "@/oauth/api/cors";
import { application } from "@/oauth/api/entities/application";
import { endpoint } from "@/server/rest-api";

export const PUT = endpoint({
  summary: "Edit the scopes and the options of an instance-wide application",
  in: administrator(),
  input: applicationChange,
  example: { scopes: "api" },
  response: one(application),
  run: changeApplication,
});
export const DELETE = endpoint({
  summary: "Delete an instance-wide application with its authorization codes and tokens",
  in: administrator(),
  input: applicationReference,
  response: none(),
  run: deleteApplication,
});
export const OPTIONS = apiPreflight;
