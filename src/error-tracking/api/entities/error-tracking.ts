import { z } from "zod";
import {
  type ClientKey,
  dsnOf,
  externalUrlOf,
  projectNameOf,
  type Settings,
} from "@/error-tracking/settings/rules";
import { defineEntity } from "@/http-api/entity";

/**
 * The response with the error tracking settings of a project. While this instance stores the tracked errors,
 * the response omits the stored settings of an external service.
 */
export const errorTrackingSettings = defineEntity(
  "error_tracking_settings",
  {
    active: z.boolean(),
    project_name: z.string().nullable(),
    errtool_external_url: z.string().nullable(),
    api_url: z.string().nullable(),
    integrated: z.boolean(),
  },
  ({ active, integrated, remote }: Settings) => {
    const shown = integrated ? null : remote;
    return {
      active,
      project_name: shown && projectNameOf(shown),
      errtool_external_url: shown && externalUrlOf(shown),
      api_url: shown?.apiUrl ?? null,
      integrated,
    };
  },
);

export const errorTrackingClientKey = defineEntity(
  "error_tracking_client_key",
  { id: z.int(), active: z.boolean(), public_key: z.string(), errtool_dsn: z.url() },
  (key: ClientKey, { config }) => ({
    id: key.id,
    active: key.active,
    public_key: key.publicKey,
    errtool_dsn: dsnOf(key, config.baseUrl),
  }),
);
