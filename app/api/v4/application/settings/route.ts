import { apiEndpoint } from "@/http-api/endpoint";
import { settingsInput } from "@/instance/settings/schema";
import { readSettings } from "@/instance/settings/service";
import { apiPreflight } from "@/oauth/api/cors";
import { changeApplicationSettings } from "@/operations/api/application-settings";
import { applicationSettings } from "@/operations/api/entities/application-settings";

const role = "administrator";

export const GET = apiEndpoint({
  summary: "The settings of the instance",
  role,
  run: readSettings,
  entity: applicationSettings,
});
export const PUT = apiEndpoint({
  summary: "Changes settings of the instance, together or not at all",
  role,
  input: settingsInput,
  example: { signup_enabled: false },
  run: changeApplicationSettings,
  entity: applicationSettings,
});
export const OPTIONS = apiPreflight;
