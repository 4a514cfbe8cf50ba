import { beforeAll, describe, expect, it } from "vitest";
import { firstPage } from "@/kernel/paging/paging.ts";
import { bearerStatus, type SignedInUser, signedInUser } from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import {
  createPersonalToken,
  findPersonalToken,
  ownPersonalTokens,
  revokePersonalToken,
  rotatePersonalToken,
} from "./service.ts";

const deps = await openTestDeps();

let ann: SignedInUser;
let eve: SignedInUser;

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
  eve = await signedInUser(deps, "eve");
});

async function issueToken(name = "laptop", expiresAt: string | null = null) {
  const outcome = await createPersonalToken(deps, ann.user, {
    name,
    scopes: ["read_user", "api"],
    expiresAt,
  });
  if ("problems" in outcome) throw new Error(JSON.stringify(outcome.problems));
  return outcome;
}

const recorded = (name: string) => deps.db.auditEvent.count({ where: { name, userId: ann.user.id } });

describe("rotating a personal access token", () => {
  it("a rotation creates a token with the same name and scopes, and the old token stops working immediately", async () => {
    const { token, value } = await issueToken("laptop", "2027-01-01");
    const outcome = await rotatePersonalToken(deps, { id: token.id, userId: ann.user.id }, "2027-06-01");
    if (outcome === null || "problems" in outcome) throw new Error("The token was not rotated.");
    expect(await bearerStatus(outcome.value)).toBe(200);
    expect(outcome.token).toMatchObject({
      name: "laptop",
      scopes: token.scopes,
      createdAt: deps.clock(),
      expiresAt: new Date("2027-06-01T00:00:00.000Z"),
    });
    expect(await recorded("personal_token.rotated")).toBe(1);
    expect(await bearerStatus(value)).toBe(401);
  });

  it("an expired personal access token can be rotated", async () => {
    const { token } = await issueToken("old", "2026-11-22");
    deps.advance(86_400);
    expect(await rotatePersonalToken(deps, token, null)).toMatchObject({
      token: { expiresAt: new Date("2027-11-22T00:00:00.000Z") },
    });
  });

  it("rotatePersonalToken refuses an invalid date, a revoked token, and the token of another user", async () => {
    const { token, value } = await issueToken();
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

  it("only one of two simultaneous requests can rotate a token", async () => {
    const { token } = await issueToken("raced");
    const both = await Promise.all([
      rotatePersonalToken(deps, token, null),
      rotatePersonalToken(deps, token, null),
    ]);
    expect(both.filter((outcome) => outcome !== null)).toHaveLength(1);
    const alive = { name: "raced", revokedAt: null };
    expect(await deps.db.personalAccessToken.count({ where: alive })).toBe(1);
  });
});

describe("the maximum lifetime of a personal access token", () => {
  it("a personal access token expires after at most 365 days, which is also the default", async () => {
    const inDays = (days: number) =>
      new Date(deps.clock().getTime() + days * 86_400_000).toISOString().slice(0, 10);
    const [last, late] = [inDays(365), inDays(366)];
    const problems = { expiresAt: [`Enter an expiration date at most 365 days from now, which is ${last}.`] };
    const draft = { name: "long", scopes: ["api"], expiresAt: late };
    expect(await createPersonalToken(deps, ann.user, draft)).toEqual({ problems });
    const { token, value } = await issueToken("long", last);
    expect(await rotatePersonalToken(deps, token, late)).toEqual({ problems });
    expect(await rotatePersonalToken(deps, token, "9999-12-31")).toEqual({ problems });
    expect(await bearerStatus(value)).toBe(200);
    const expiresAt = new Date(last);
    expect(await rotatePersonalToken(deps, token, last)).toMatchObject({ token: { expiresAt } });
    expect((await issueToken("unsaid")).token).toMatchObject({ expiresAt });
  });
});

describe("using a personal access token that has been rotated", () => {
  const rotated = async (token: Readonly<{ id: number; userId: number }>) => {
    const outcome = await rotatePersonalToken(deps, token, "2027-06-01");
    if (outcome === null || "problems" in outcome) throw new Error("The token was not rotated.");
    return outcome;
  };
  const misuse = () =>
    deps.db.auditEvent.findMany({
      where: { name: "token.family_revoked", userId: ann.user.id },
      select: { details: true, applicationId: true, actorId: true },
      orderBy: { id: "asc" },
    });

  it("the use of a rotated token revokes only its successors, and creates only one audit event", async () => {
    const [first, other] = [await issueToken("first"), await issueToken("other")];
    const second = await rotated(first.token);
    const third = await rotated(second.token);
    const sibling = await rotated((await issueToken("sibling")).token);
    expect(await bearerStatus(third.value)).toBe(200);
    const before = await misuse();
    for (const { value } of [second, first, second]) expect(await bearerStatus(value)).toBe(401);
    expect(await bearerStatus(third.value)).toBe(401);
    expect(await rotatePersonalToken(deps, third.token, null)).toBeNull();
    for (const { value } of [other, sibling]) expect(await bearerStatus(value)).toBe(200);
    const details = JSON.stringify({ because: "personal_token_reuse", familyId: first.token.id });
    expect(await misuse()).toEqual([...before, { details, applicationId: null, actorId: null }]);
    const listed = await ownPersonalTokens(deps, ann.user.id, firstPage(100, { descending: true }));
    expect(listed.rows.map(({ id }) => id)).not.toContain(third.token.id);
  });

  it("the use of a rotated token revokes its successors even if the first token of the family was deleted", async () => {
    const first = await issueToken("pruned");
    const second = await rotated(first.token);
    const third = await rotated(second.token);
    await deps.db.personalAccessToken.delete({ where: { id: first.token.id } });
    expect(await bearerStatus(second.value)).toBe(401);
    expect(await bearerStatus(third.value)).toBe(401);
  });

  it("the use of a token that was revoked by its owner or has expired revokes no other token", async () => {
    const before = (await misuse()).length;
    const ended = await issueToken("ended");
    await revokePersonalToken(deps, ended.token);
    expect(await bearerStatus(ended.value)).toBe(401);
    const tomorrow = new Date(deps.clock().getTime() + 86_400_000).toISOString().slice(0, 10);
    const expiring = await issueToken("expiring", tomorrow);
    const next = await rotated(expiring.token);
    deps.advance(86_400);
    expect(await findPersonalToken(deps, expiring.value)).toMatchObject({ state: "expired" });
    expect(await bearerStatus(next.value)).toBe(200);
    expect(await misuse()).toHaveLength(before);
  });

  it("the use of a rotated token also revokes a token that a concurrent rotation creates", async () => {
    for (const _ of [1, 2, 3, 4]) {
      const first = await issueToken("chased");
      const second = await rotated(first.token);
      await Promise.all([
        rotatePersonalToken(deps, second.token, null),
        findPersonalToken(deps, first.value),
        rotatePersonalToken(deps, second.token, null),
      ]);
      const alive = { name: "chased", revokedAt: null };
      expect(await deps.db.personalAccessToken.count({ where: alive })).toBe(0);
    }
    const before = (await misuse()).length;
    const twice = await issueToken("twice");
    const outcomes = await Promise.all([1, 2].map(() => rotatePersonalToken(deps, twice.token, null)));
    expect(outcomes.filter((outcome) => outcome !== null)).toHaveLength(1);
    expect(await deps.db.personalAccessToken.count({ where: { name: "twice", revokedAt: null } })).toBe(1);
    expect(await misuse()).toHaveLength(before);
  });
});

describe("the list of a user's tokens", () => {
  it("ownPersonalTokens returns pages of the unrevoked tokens of a user, newest first", async () => {
    const names = ["one", "two", "three"];
    const tokens: number[] = [];
    for (const name of names) tokens.unshift((await issueToken(name)).token.id);
    await revokePersonalToken(deps, { id: tokens[1] ?? 0, userId: ann.user.id });
    const { rows, hasNext } = await ownPersonalTokens(deps, ann.user.id, firstPage(2, { descending: true }));
    expect(rows.map(({ name }) => name)).toEqual(["three", "one"]);
    expect(hasNext).toBe(true);
    expect((await ownPersonalTokens(deps, eve.user.id, firstPage(2, { descending: true }))).rows).toEqual([]);
    expect(JSON.stringify(rows)).not.toContain("digest");
  });
});
