import { z } from "zod";
import { defineEntity, moment } from "@/http-api/entity";
import { findDeprecation } from "@/operations/deprecated-uses/catalog";
import type { DeprecatedUse } from "@/operations/deprecated-uses/rules";

/** The entry for a use of a deprecated part of the API by a program. */
export const deprecatedUse = defineEntity(
  "deprecated_use",
  {
    id: z.int(),
    name: z.string(),
    kind: z.enum(["endpoint", "parameter", "field"]),
    item: z.string(),
    instead: z.string(),
    count: z.int(),
    last_used_at: moment,
    user: z.object({ id: z.int(), username: z.string(), name: z.string() }).nullable(),
    application: z
      .object({ id: z.int(), application_id: z.string(), application_name: z.string() })
      .nullable(),
  },
  ({ id, name, count, lastUsedAt, user, application }: DeprecatedUse) => {
    const row = findDeprecation(name);
    return {
      id,
      name,
      kind: row?.kind ?? ("endpoint" as const),
      item: row?.item ?? name,
      instead: row?.instead ?? "",
      count,
      last_used_at: lastUsedAt.toISOString(),
      user,
      application: application && {
        id: application.id,
        application_id: application.uid,
        application_name: application.name,
      },
    };
  },
);
