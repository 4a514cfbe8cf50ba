import { changeApplicationSettings } from "@/api/application-settings";
import { apiPreflight } from "@/api/cors";
import { apiEndpoint } from "@/api/endpoint";
import { applicationSettings } from "@/api/entities/application-settings";
import { settingsInput } from "@/features/settings/schema";
import { readSettings } from "@/features/settings/service";

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
