import { errorTrackingSettings as entity } from "@/error-tracking/api/entities/error-tracking";
import {
  configuration,
  configure,
  readSettings,
  switchTracking,
  toggle,
} from "@/error-tracking/api/error-tracking";
import { one } from "@/http-api/answers";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/places";

export const GET = endpoint({
  summary: "How the project tracks its errors",
  in: project({ atLeast: "maintainer" }),
  answer: one(entity),
  run: readSettings,
});
export const PUT = endpoint({
  summary: "Sets how the project tracks its errors",
  in: project({ atLeast: "maintainer" }),
  input: configuration,
  answer: one(entity),
  run: configure,
});
export const PATCH = endpoint({
  summary: "Switches error tracking that is configured already",
  in: project({ atLeast: "maintainer" }),
  input: toggle,
  answer: one(entity),
  run: switchTracking,
});
export const OPTIONS = apiPreflight;
