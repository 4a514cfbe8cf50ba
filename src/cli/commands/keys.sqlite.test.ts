import { expect, it } from "vitest";
import { commandLine, gatehouse, json, useNewInstance } from "@/testing/command-line.ts";
import { conformance } from "@/testing/conformance.ts";

commandLine();

it(
  conformance("JW-03", "`gatehouse keys rotate` creates a new key each time, and prints its id"),
  async () => {
    await useNewInstance();
    const { status, out } = await gatehouse("keys", "rotate");
    expect(status).toBe(0);
    expect(out).toMatch(/^ID tokens are now signed with the key [A-Za-z0-9_-]{43}\.\n$/);
    const { kid } = await json("keys", "rotate");
    expect(kid).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(out).not.toContain(kid);
  },
);

it("`gatehouse keys rotate --every` changes the interval between key rotations, and `gatehouse keys list` shows the state of each key", async () => {
  await useNewInstance();
  expect((await gatehouse("keys", "list")).out).toBe("No signing key exists yet.\n");
  expect((await gatehouse("keys", "rotate", "--every", "often")).status).toBe(2);
  expect((await gatehouse("keys", "rotate", "--every", "90d")).out).toContain("every 90 days");
  const { kid } = await json("keys", "rotate");
  expect(await json("keys", "list")).toMatchObject({
    keys: [{ kid, algorithm: "RS256", state: "signing" }],
  });
});
