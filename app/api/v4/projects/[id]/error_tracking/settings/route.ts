import { errorTrackingSettings as entity } from "@/error-tracking/api/entities/error-tracking";
import {
  configuration,
  configure,
  readSettings,
  switchTracking,
  toggle,
} from "@/error-tracking/api/error-tracking";
import { apiPreflight } from "@/oauth/api/cors";
import { projectEndpoint } from "@/workspace/api/project-endpoint";

const role = "maintainer";

export const GET = projectEndpoint({
  summary: "How the project tracks its errors",
  role,
  run: readSettings,
  entity,
});
export const PUT = projectEndpoint({
  summary: "Sets how the project tracks its errors",
  role,
  input: configuration,
  run: configure,
  entity,
});
export const PATCH = projectEndpoint({
  summary: "Switches error tracking that is configured already",
  role,
  input: toggle,
  run: switchTracking,
  entity,
});
export const OPTIONS = apiPreflight;
