import { expect, it, vi } from "vitest";
import { openTestDeps } from "@/testing/deps.ts";
import { integer } from "./column-types.ts";
import { statement } from "./statement.ts";

const deps = await openTestDeps();

/** The number of connections of Prisma. */
const CONNECTIONS = 10;

const numberStatement = (name: string, isScan: boolean) =>
  statement({
    name,
    isScan,
    parameters: {},
    columns: { number: ["1", integer] },
    sql: (columns) => `SELECT ${columns}`,
  });
const LOOKUP = numberStatement("test_lookup", false);
const SCAN = numberStatement("test_scan", true);

it("lookups do not wait while transactions hold all connections of Prisma, but scans wait", async () => {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let held = 0;
  const transactions = Array.from({ length: CONNECTIONS }, () =>
    deps.transaction(async ({ db }) => {
      await db.$queryRaw`SELECT 1`;
      held += 1;
      await ended;
    }),
  );
  await vi.waitFor(() => expect(held).toBe(CONNECTIONS));
  let hasScanned = false;
  const scan = Promise.resolve(deps.reads.all(SCAN, {})).then((rows) => {
    hasScanned = true;
    return rows;
  });
  for (let lookups = 0; lookups < 5; lookups += 1)
    expect(await deps.reads.all(LOOKUP, {})).toEqual([{ number: 1 }]);
  expect(hasScanned).toBe(false);
  end();
  await Promise.all(transactions);
  expect(await scan).toEqual([{ number: 1 }]);
});
