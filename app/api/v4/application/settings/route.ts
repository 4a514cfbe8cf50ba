import { changeApplicationSettings } from "@/api/application-settings";
import { apiPreflight } from "@/api/cors";
import { apiEndpoint } from "@/api/endpoint";
import type { Settings } from "@/features/settings/catalog";
import { settingsInput } from "@/features/settings/schema";
import { readSettings } from "@/features/settings/service";

const role = "administrator";
const entity = (settings: Settings) => settings;

export const GET = apiEndpoint({ role, scopes: ["api", "read_api"], run: readSettings, entity });
export const PUT = apiEndpoint({
  role,
  scopes: ["api"],
  input: settingsInput,
  run: changeApplicationSettings,
  entity,
});
export const OPTIONS = apiPreflight;
