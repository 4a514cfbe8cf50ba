import { flag, text } from "@/kernel/db/column-types";
import type { Eventually, Prepared } from "@/kernel/db/prepared";
import { statement } from "@/kernel/db/statement";

const FLAGS = statement({
  name: "flags",
  isCached: true,
  parameters: {},
  columns: { name: [`"name"`, text], enabled: [`"enabled"`, flag] },
  sql: (columns) => `SELECT ${columns} FROM "FeatureFlag"`,
});

/** Returns the stored feature flags. */
export const readAll = (
  prepared: Prepared,
): Eventually<readonly Readonly<{ name: string; enabled: boolean }>[]> => prepared.all(FLAGS, {});
