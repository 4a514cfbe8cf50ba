import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "../fixtures.ts";
import { collectingProject } from "./collecting.ts";

const PROGRAM = fileURLToPath(new URL("node-program.mjs", import.meta.url));

/** What an envelope was to carry. Without a status, the SDK did not send it. */
type Told = Readonly<{ types: readonly string[]; status?: number }>;

/** Runs the program, which reports to `dsn`, and gives what its SDK was answered. */
async function runProgram(dsn: string): Promise<readonly Told[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, dsn]);
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
}

test("an unmodified @sentry/node reports to the DSN, and its errors are found", async ({ instance }) => {
  const shop = await collectingProject(instance, "acme/shop");
  const told = await runProgram(shop.dsn);
  const events = told.filter(({ types }) => types.includes("event"));
  expect(events.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  const errors = await shop.errors();
  expect(errors.map(({ name, count, user_count }) => [name, count, user_count]).toSorted()).toEqual([
    ["Error", 1, 1],
    ["RangeError", 3, 1],
    ["The cart is slow", 1, 1],
  ]);
  const empty = errors.find(({ name }) => name === "RangeError");
  expect(empty).toMatchObject({
    message: "Order 17 is empty",
    culprit: expect.stringContaining("chargeCard"),
  });
  const [newest] = await shop.events(empty?.id ?? 0);
  const shown = JSON.stringify(newest);
  for (const part of [
    "chargeCard",
    "node-program",
    "Order 19 began",
    "shop@4.1.0",
    "production",
    "sentry.javascript.node",
  ])
    expect(shown).toContain(part);
  expect(shown).not.toContain("ann@example.com");
});

test("what is not kept, it stops to send once it was told", async ({ instance }) => {
  const shop = await collectingProject(instance, "acme/silent");
  const told = await runProgram(shop.dsn);
  const unsent = told.filter(({ status }) => status === undefined);
  expect(unsent.flatMap(({ types }) => types)).toEqual(["span"]);
  for (const { status } of told.filter((one) => !unsent.includes(one))) expect(status).toBe(200);
  // It reports by itself what it did not send, in an envelope that carries nothing else.
  expect(told.at(-1)).toEqual({ types: ["client_report"], status: 200 });
});

test("with a key that is not known it reports nothing, and goes on", async ({ instance }) => {
  const shop = await collectingProject(instance, "acme/closed");
  const told = await runProgram(shop.dsn.replace(shop.publicKey, `ghek_${"0".repeat(32)}`));
  expect(new Set(told.map(({ status }) => status))).toEqual(new Set([401]));
  expect(await shop.errors()).toEqual([]);
});
