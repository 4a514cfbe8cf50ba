import { administrator } from "@/http-api/access-rules";
import { one } from "@/http-api/responses";
import { settingsInput } from "@/instance/settings/schema";
import { readSettings } from "@/instance/settings/service";
import { apiPreflight } from "@/oauth/api/cors";
import { changeApplicationSettings } from "@/operations/api/application-settings";
import { applicationSettings } from "@/operations/api/entities/application-settings";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "Get the settings of the instance",
  in: administrator(),
  response: one(applicationSettings),
  run: readSettings,
});
export const PUT = endpoint({
  summary: "Edit settings of the instance; if a value is invalid, no setting is saved",
  in: administrator(),
  input: settingsInput,
  example: { signup_enabled: false },
  response: one(applicationSettings),
  run: changeApplicationSettings,
});
export const OPTIONS = apiPreflight;
