import type { DatabaseConfig } from "@/kernel/config/config.ts";
import { openDatabase } from "@/kernel/db/open.ts";

/**
 * This program increments a counter in the row of the table `Instance`, as many times as the second argument
 * specifies, and prints the number of failures.
 */
const config: DatabaseConfig = JSON.parse(process.argv[2] ?? "");
const times = Number(process.argv[3]);

const { transaction, close } = await openDatabase(config);

async function increment(): Promise<void> {
  await transaction(async (db) => {
    const { secretCheck } = await db.instance.findUniqueOrThrow({ where: { id: 1 } });
    await db.instance.update({ where: { id: 1 }, data: { secretCheck: String(Number(secretCheck) + 1) } });
  });
}

let failures = 0;
for (let done = 0; done < times; done++) {
  await increment().catch(() => {
    failures++;
  });
}
await close();
process.stdout.write(JSON.stringify({ failures }));
