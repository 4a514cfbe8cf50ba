import { errorTrackingSettings as entity } from "@/error-tracking/api/entities/error-tracking";
import {
  configuration,
  configure,
  readSettings,
  switchTracking,
  toggle,
} from "@/error-tracking/api/error-tracking";
import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";

export const GET = endpoint({
  summary: "Get the error tracking settings of a project",
  in: project({ atLeast: "maintainer" }),
  response: one(entity),
  run: readSettings,
});
export const PUT = endpoint({
  summary: "Create or replace the error tracking settings of a project",
  in: project({ atLeast: "maintainer" }),
  input: configuration,
  response: one(entity),
  run: configure,
});
export const PATCH = endpoint({
  summary: "Enable or disable error tracking that is already configured",
  in: project({ atLeast: "maintainer" }),
  input: toggle,
  response: one(entity),
  run: switchTracking,
});
export const OPTIONS = apiPreflight;
