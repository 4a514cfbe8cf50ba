import { setTimeout as pause } from "node:timers/promises";
import { runs } from "../../src/testing/long.ts";
import { expect, test } from "../fixtures.ts";
import { startInstance } from "../instance.ts";

const PROJECTS = 3;
const CHANGES_BEFORE = runs({ short: 30, long: 60 });

type Settings = Readonly<{ active: boolean; integrated: boolean }>;
type Keys = readonly Readonly<{ id: number }>[];

test("every change of settings and every client key that the server acknowledged before a kill exists after the restart", async ({
  database,
}) => {
  const instance = await startInstance({ database });
  const command = async (...args: readonly string[]) => (await instance.cli(...args)).stdout.trim();
  const token = await command("token", "create", "--user", "root", "--scopes", "api", "--name", "kill");
  const ids: string[] = [];
  for (let number = 0; number < PROJECTS; number += 1)
    ids.push(await command("project", "create", "--path", `acme/kill-${number}`, "--owner", "root"));
  const request = async (id: string, method: string, what: string): Promise<unknown> => {
    const url = `${instance.baseUrl}/api/v4/projects/${id}/error_tracking/${what}`;
    const response = await fetch(url, { method, headers: { "private-token": token } });
    if (!response.ok) throw new Error(`${response.status}`);
    return response.json();
  };

  let changes = 0;
  const changing = ids.map(async (id) => {
    const last = { asked: null as boolean | null, answered: null as boolean | null, keys: [] as number[] };
    try {
      for (let active = true; ; active = !active) {
        last.asked = active;
        const { active: saved } = (await request(
          id,
          "PUT",
          `settings?active=${active}&integrated=true`,
        )) as Settings;
        last.answered = saved;
        last.keys.push(((await request(id, "POST", "client_keys")) as Keys[number]).id);
        changes += 1;
      }
    } catch {
      // The request failed because the server process was killed.
      return last;
    }
  });
  while (changes < CHANGES_BEFORE) await pause(1);
  await instance.kill("SIGKILL");
  const before = await Promise.all(changing);

  await instance.restart();
  for (const [index, { asked, answered, keys }] of before.entries()) {
    const id = ids[index] ?? "";
    const { active } = (await request(id, "GET", "settings")) as Settings;
    // If a request was running when the server was killed, the server may or may not have saved the change.
    expect([asked, answered]).toContain(active);
    const stored = new Set(
      ((await request(id, "GET", "client_keys?per_page=100")) as Keys).map((key) => key.id),
    );
    expect(keys.filter((key) => !stored.has(key))).toEqual([]);
  }
  await instance.stop();
});
