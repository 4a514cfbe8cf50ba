import { text } from "@/kernel/db/column-types";
import type { Eventually, Prepared } from "@/kernel/db/prepared";
import { statement } from "@/kernel/db/statement";

const SETTINGS = statement({
  name: "settings",
  isCached: true,
  parameters: {},
  columns: { key: [`"key"`, text], value: [`"value"`, text] },
  sql: (columns) => `SELECT ${columns} FROM "Setting"`,
});

/** Returns the stored settings: each key with its value as JSON. */
export const readAll = (
  prepared: Prepared,
): Eventually<readonly Readonly<{ key: string; value: string }>[]> => prepared.all(SETTINGS, {});
