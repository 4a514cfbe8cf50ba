import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "../fixtures.ts";
import { collectingProject } from "./collecting.ts";

const PROGRAM = fileURLToPath(new URL("node-program.mjs", import.meta.url));

/**
 * The items of an envelope and the status of its response. If there is no status, the SDK did not send the
 * envelope.
 */
type SentEnvelope = Readonly<{ types: readonly string[]; status?: number }>;

/**
 * Runs `node-program.mjs`, which reports errors to `dsn`.
 * @returns the envelopes that the SDK of the program sent or discarded.
 */
async function runProgram(dsn: string): Promise<readonly SentEnvelope[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, dsn]);
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
}

test("errors that an unmodified @sentry/node reports to the DSN are tracked", async ({ instance }) => {
  const shop = await collectingProject(instance, "acme/shop");
  const envelopes = await runProgram(shop.dsn);
  const events = envelopes.filter(({ types }) => types.includes("event"));
  expect(events.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  const errors = await shop.errors();
  expect(errors.map(({ name, count, user_count }) => [name, count, user_count]).toSorted()).toEqual([
    ["Error", 1, 1],
    ["RangeError", 3, 1],
    ["The cart is slow", 1, 1],
  ]);
  const empty = errors.find(({ name }) => name === "RangeError");
  // The SDK sends its envelopes simultaneously, so any of the three events can be stored first.
  expect(empty).toMatchObject({
    message: expect.stringMatching(/^Order 1[789] is empty$/),
    culprit: expect.stringContaining("chargeCard"),
  });
  const stored = (await shop.events(empty?.id ?? 0)).map((event) => JSON.stringify(event));
  const [shown = ""] = stored.filter((event) => event.includes("Order 19 is empty"));
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

test("an unmodified @sentry/node stops sending the kinds of envelope items that the server does not store", async ({
  instance,
}) => {
  const shop = await collectingProject(instance, "acme/silent");
  const envelopes = await runProgram(shop.dsn);
  const unsent = envelopes.filter(({ status }) => status === undefined);
  expect(unsent.flatMap(({ types }) => types)).toEqual(["span"]);
  for (const { status } of envelopes.filter((envelope) => !unsent.includes(envelope)))
    expect(status).toBe(200);
  // The SDK reports the discarded items in a separate envelope.
  expect(envelopes.at(-1)).toEqual({ types: ["client_report"], status: 200 });
});

test("a program whose DSN has an unknown key continues to run, and the server stores no tracked error", async ({
  instance,
}) => {
  const shop = await collectingProject(instance, "acme/closed");
  const envelopes = await runProgram(shop.dsn.replace(shop.publicKey, `ghek_${"0".repeat(32)}`));
  expect(new Set(envelopes.map(({ status }) => status))).toEqual(new Set([401]));
  expect(await shop.errors()).toEqual([]);
});
