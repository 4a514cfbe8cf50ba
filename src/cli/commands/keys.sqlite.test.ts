import { expect, it } from "vitest";
import { commandLine, gatehouse, json, useNewInstance } from "@/testing/command-line.ts";
import { conformance } from "@/testing/conformance.ts";

commandLine();

it(
  conformance(
    "JW-03",
    "`gatehouse keys rotate --now` creates new keys each time, and prints their ids with a warning",
  ),
  async () => {
    await useNewInstance();
    const { status, out } = await gatehouse("keys", "rotate", "--now");
    expect(status).toBe(0);
    expect(out).toMatch(/^Tokens are now signed with these keys:\n([\w-]{43} {2}RS256\n)Warning: /);
    const { kid, keys } = await json("keys", "rotate", "--now");
    expect(kid).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(out).not.toContain(kid);
    expect(keys).toMatchObject([{ kid, algorithm: "RS256" }]);
  },
);

it(
  conformance(
    "JW-07",
    "`gatehouse keys rotate --withdraw` creates new keys, deletes all old keys, and prints the ids of the old keys",
  ),
  async () => {
    await useNewInstance();
    expect((await gatehouse("keys", "rotate")).status).toBe(0);
    const { keys: old } = (await json("keys", "list")) as { keys: readonly { kid: string }[] };
    expect(old).toHaveLength(2);
    const { kid, withdrawn } = await json("keys", "rotate", "--withdraw");
    expect(withdrawn).toEqual(old.map((key) => key.kid));
    expect(await json("keys", "list")).toEqual({
      keys: [expect.objectContaining({ kid, state: "signing" })],
    });
    const { out } = await gatehouse("keys", "rotate", "--withdraw");
    expect(out).toContain(`These keys were removed from the JWK Set:\n${kid}\n`);
    expect((await gatehouse("keys", "rotate", "--withdraw", "--now")).status).toBe(2);
  },
);

it(
  conformance(
    "JW-05",
    "`gatehouse keys rotate` publishes new keys, and prints the time from which the keys sign tokens",
  ),
  async () => {
    await useNewInstance();
    const { status, out } = await gatehouse("keys", "rotate");
    expect(status).toBe(0);
    expect(out).toContain("are published, and sign tokens from the given time on");
    const [, from = ""] = / from (\d\S+)/.exec(out) ?? [];
    expect(Date.parse(from)).toBeGreaterThan(Date.now() + 86_000_000);
    const { kid } = await json("keys", "rotate");
    expect(out, "the second rotation prints the published keys").toContain(`${kid}  RS256`);
    const published = [
      expect.objectContaining({ kid, state: "next", signs_from: from }),
      expect.objectContaining({ algorithm: "RS256", state: "signing" }),
    ];
    expect(await json("keys", "list")).toEqual({ keys: expect.arrayContaining(published) });
  },
);

it("`gatehouse keys rotate --every` changes the interval between key rotations, and `gatehouse keys list` shows the state of each key", async () => {
  await useNewInstance();
  expect((await gatehouse("keys", "list")).out).toBe("No signing key exists yet.\n");
  expect((await gatehouse("keys", "rotate", "--every", "often")).status).toBe(2);
  expect((await gatehouse("keys", "rotate", "--every", "90d", "--now")).status).toBe(2);
  expect((await gatehouse("keys", "rotate", "--every", "90d")).out).toContain("every 90 days");
  const { kid } = await json("keys", "rotate", "--now");
  const signing = expect.objectContaining({ kid, algorithm: "RS256", state: "signing" });
  expect(await json("keys", "list")).toEqual({ keys: expect.arrayContaining([signing]) });
});
