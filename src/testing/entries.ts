import { integer } from "@/kernel/db/column-types.ts";
import type { PreparedWrite } from "@/kernel/db/prepared.ts";
import { sqliteStatement } from "@/kernel/db/statement.ts";

/** The database table that the tests of the writer thread use. */
export const CREATE_ENTRIES = `CREATE TABLE "Entry" ("id" INTEGER PRIMARY KEY)`;

/**
 * Two rows that are stored together. If `ends` is set, the thread or the process ends between the two rows.
 */
export type Entries = Readonly<{ id: number; ends?: "thread" | "process" }>;

/** The id of the second row of a write is the id of the first row with a minus sign. */
const INSERT = sqliteStatement({
  name: "insert_entry",
  parameters: { id: integer },
  columns: {},
  sql: () => `INSERT INTO "Entry" ("id") VALUES (:id)`,
});

export const ADD_ENTRIES: PreparedWrite<Entries, number> = {
  name: "add_entries",
  sqlite: {
    each: (session, { id, ends }) => {
      session.run(INSERT, { id });
      // In a thread, `process.exit` ends only the thread.
      if (ends === "thread") process.exit(1);
      if (ends === "process") process.kill(process.pid, "SIGKILL");
      session.run(INSERT, { id: -id });
      return id;
    },
  },
  postgresql: { group: () => Promise.reject(new Error("Only SQLite has a thread that writes.")) },
};
