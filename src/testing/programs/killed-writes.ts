import { writeSync } from "node:fs";
import { openDatabase } from "@/kernel/db/open.ts";
import { ADD_ENTRIES } from "../entries.ts";

/**
 * This program writes groups of entries to the SQLite file in the first argument. The writes run in a thread
 * with the program in the second argument. The program prints the id of each confirmed write on a separate
 * line. The thread kills the process in the middle of the last group.
 */
const [file = "", writerThread] = process.argv.slice(2);
const { prepared } = await openDatabase({ provider: "sqlite", file }, { writerThread });

const GROUPS = 20;
const WRITES = 16;
for (let group = 1; group <= GROUPS; group++)
  await Promise.all(
    Array.from({ length: WRITES }, async (_, index) => {
      const isLast = group === GROUPS && index === WRITES / 2;
      const write = { id: group * WRITES + index, ...(isLast ? { ends: "process" as const } : {}) };
      writeSync(process.stdout.fd, `${await prepared.write(ADD_ENTRIES, write)}\n`);
    }),
  );
