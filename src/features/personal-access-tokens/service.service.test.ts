import { beforeAll, describe, expect, it } from "vitest";
import { bearerStatus, type Person, signedInPerson } from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import {
  createPersonalToken,
  ownPersonalTokens,
  revokePersonalToken,
  rotatePersonalToken,
} from "./service.ts";

const deps = await openTestDeps();

let ann: Person;
let eve: Person;

beforeAll(async () => {
  ann = await signedInPerson(deps, "ann");
  eve = await signedInPerson(deps, "eve");
});

async function made(name = "laptop", expiresAt: string | null = null) {
  const outcome = await createPersonalToken(deps, ann.user, {
    name,
    scopes: ["read_user", "api"],
    expiresAt,
  });
  if ("problems" in outcome) throw new Error(JSON.stringify(outcome.problems));
  return outcome;
}

const recorded = (name: string) => deps.db.auditEvent.count({ where: { name, userId: ann.user.id } });

describe("rotating a token", () => {
  it("gives a new value of the same name and scopes, and the old one is dead at once", async () => {
    const { token, value } = await made("laptop", "2027-01-01");
    const outcome = await rotatePersonalToken(deps, { id: token.id, userId: ann.user.id }, "2027-06-01");
    if (outcome === null || "problems" in outcome) throw new Error("It was not rotated.");
    expect(await bearerStatus(value)).toBe(401);
    expect(await bearerStatus(outcome.value)).toBe(200);
    expect(outcome.token).toMatchObject({
      name: "laptop",
      scopes: token.scopes,
      createdAt: deps.clock(),
      expiresAt: new Date("2027-06-01T00:00:00.000Z"),
    });
    expect(await recorded("personal_token.rotated")).toBe(1);
  });

  it("works for one that has expired", async () => {
    const { token } = await made("old", "2026-11-22");
    deps.advance(86_400);
    expect(await rotatePersonalToken(deps, token, null)).toMatchObject({ token: { expiresAt: null } });
  });

  it("changes nothing when the day is wrong, the token revoked, or somebody else's", async () => {
    const { token, value } = await made();
    const own = { id: token.id, userId: ann.user.id };
    expect(await rotatePersonalToken(deps, own, "2020-01-01")).toMatchObject({
      problems: { expiresAt: [expect.any(String)] },
    });
    expect(await rotatePersonalToken(deps, { ...own, userId: eve.user.id }, null)).toBeNull();
    expect(await revokePersonalToken(deps, { ...own, userId: eve.user.id })).toBe(false);
    expect(await bearerStatus(value)).toBe(200);
    expect(await revokePersonalToken(deps, own)).toBe(true);
    expect(await rotatePersonalToken(deps, own, null)).toBeNull();
    expect(await bearerStatus(value)).toBe(401);
  });

  it("serves one of two who rotate the same at once", async () => {
    const { token } = await made("raced");
    const both = await Promise.all([
      rotatePersonalToken(deps, token, null),
      rotatePersonalToken(deps, token, null),
    ]);
    expect(both.filter((outcome) => outcome !== null)).toHaveLength(1);
    const alive = { name: "raced", revokedAt: null };
    expect(await deps.db.personalAccessToken.count({ where: alive })).toBe(1);
  });
});

describe("the list of a person's tokens", () => {
  it("has their own that are not revoked, the newest first, page by page", async () => {
    const names = ["one", "two", "three"];
    const tokens: number[] = [];
    for (const name of names) tokens.unshift((await made(name)).token.id);
    await revokePersonalToken(deps, { id: tokens[1] ?? 0, userId: ann.user.id });
    const { rows, hasOlder } = await ownPersonalTokens(deps, ann.user.id, null, 2);
    expect(rows.map(({ name }) => name)).toEqual(["three", "one"]);
    expect(hasOlder).toBe(true);
    expect((await ownPersonalTokens(deps, eve.user.id, null, 2)).rows).toEqual([]);
    expect(JSON.stringify(rows)).not.toContain("digest");
  });
});
