import type { HotPaths } from "./db.ts";
import type { Gate } from "./gate.ts";
import { recordEventsSqlite } from "./record-events-sqlite.ts";

export function hotSqlite(file: string, gate: Gate): { hot: HotPaths; close: () => void } {
  const { recordEvents, close } = recordEventsSqlite(file, gate);
  return { hot: { recordEvents }, close };
}
