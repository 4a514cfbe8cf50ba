import { setTimeout as pause } from "node:timers/promises";
import { runs } from "../../src/testing/long.ts";
import { expect, test } from "../fixtures.ts";
import { startBeside, startInstance } from "../instance.ts";
import { collectingProject } from "./collecting.ts";

const EVENTS = runs({ short: 800, long: 2_000 });
const SENDERS = 32;
/**
 * The number of different tracked errors. This number is small, so that the server keeps every event of each
 * tracked error.
 */
const KINDS = 50;

const idOf = (number: number): string => number.toString(16).padStart(32, "0");

const eventOf = (number: number) => ({
  event_id: idOf(number),
  exception: {
    type: "StormError",
    value: "x",
    stacktrace: {
      frames: [{ function: `kind ${number % KINDS}`, module: nameOf(number % KINDS), in_app: true }],
    },
  },
});

/**
 * Returns the name of a tracked error. The names contain only letters, because numbers in names do not
 * distinguish tracked errors.
 */
const nameOf = (kind: number): string =>
  String.fromCharCode(97 + (kind % 26)).repeat(1 + Math.floor(kind / 26));

/**
 * Sends events to the servers. The list `answered` collects the ids of the events to which a server responded
 * with 200.
 */
async function storm(
  origins: readonly string[],
  project: Readonly<{ id: number; publicKey: string }>,
  isOver: () => boolean,
  answered: Set<string>,
): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: SENDERS }, async (_, sender) => {
      const origin = origins[sender % origins.length] ?? "";
      const url = `${origin}/api/v4/error_tracking/collector/api/${project.id}/store/?sentry_key=${project.publicKey}`;
      while (next < EVENTS && !isOver()) {
        const body = JSON.stringify(eventOf(next++));
        const response = await fetch(url, { method: "POST", body }).catch(() => null);
        if (response?.status !== 200) continue;
        const { id } = (await response.json().catch(() => ({}))) as { id?: string };
        if (id !== undefined) answered.add(id);
      }
    }),
  );
}

test("every event that the server acknowledged before a kill exists after the restart", async ({
  database,
}) => {
  const instance = await startInstance({ database });
  const project = await collectingProject(instance, "acme/storm");
  const answered = new Set<string>();
  const over = { is: false };
  const sending = storm([instance.baseUrl], project, () => over.is, answered);
  while (answered.size < EVENTS / 2) await pause(1);
  await instance.kill("SIGKILL");
  over.is = true;
  await sending;
  expect(answered.size).toBeLessThan(EVENTS);

  await instance.restart();
  const errors = await project.errors();
  const events = (await Promise.all(errors.map(({ id }) => project.events(id)))).flat();
  const stored = new Set(events.map(({ event_id }) => event_id));
  expect([...answered].filter((id) => !stored.has(id))).toEqual([]);
  const counted = errors.reduce((sum, { count }) => sum + count, 0);
  expect(counted).toBe(stored.size);
  // Additional events can come only from requests that were running when the process was killed.
  expect(counted - answered.size).toBeLessThanOrEqual(SENDERS);
  await instance.stop();
});

test("two processes that share a database count every event once", async ({ database }) => {
  const instance = await startInstance({ database });
  const second = await startBeside(instance);
  const project = await collectingProject(instance, "acme/twins");
  const answered = new Set<string>();
  await storm([instance.baseUrl, second.url], project, () => false, answered);
  expect(answered.size).toBe(EVENTS);
  const errors = await project.errors();
  expect(errors).toHaveLength(KINDS);
  expect(errors.every(({ count }) => count === EVENTS / KINDS)).toBe(true);
  const events = (await Promise.all(errors.map(({ id }) => project.events(id)))).flat();
  expect(new Set(events.map(({ event_id }) => event_id))).toEqual(answered);
  await second.stop();
  await instance.stop();
});
