import { POST as postToken } from "@app/api/v4/users/[id]/personal_access_tokens/route.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { type Session, sessionOf } from "@/identity/sessions/service.ts";
import { SessionEnded } from "@/identity/sessions/sessions-ended.ts";
import { resetPassword } from "@/identity/users/service.ts";
import { provideDeps } from "@/kernel/deps/deps.ts";
import { createOwnToken } from "@/oauth/personal-access-tokens/service.ts";
import { apiUser, callApi } from "@/testing/api.ts";
import {
  approvalOf,
  authorizationQuery,
  authorize,
  codeFor,
  decide,
  encoded,
  type Fields,
  ORIGIN,
  redirectParameters,
  registeredClient,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import {
  codesFor,
  decideDevice,
  enterUserCode,
  pollError,
  submitDecision,
  switchDeviceGrant,
} from "@/testing/device.ts";
import { beforeFirstTransaction } from "@/testing/transactions.ts";
import { issueCode } from "./approval.ts";
import { withdrawConsent } from "./service.ts";

const deps = await openTestDeps();
const boss = await signedInUser(deps, "boss");
const client = await registeredClient(deps, boss.user, { scopes: ["read_user", "api"] });
await switchDeviceGrant(deps, true);
const NEW = "another long passphrase";

let users = 0;
let ann: SignedInUser;
let session: Session;

beforeEach(async () => {
  users += 1;
  ann = await signedInUser(deps, `ann${users}`);
  const current = await sessionOf(deps, ann.cookie);
  if (current === null) throw new Error("The session is not live.");
  session = current;
});

const query = (changes: Fields = {}) => authorizationQuery(client, changes);
const unusedCodes = () => deps.db.authorizationCode.count({ where: { userId: ann.user.id, usedAt: null } });
const reset = () => resetPassword(deps, ann.user, NEW);
const withdraw = () => withdrawConsent(deps, { userId: ann.user.id, applicationId: client.application.id });

/** Runs a request, and the function `event` before the first transaction of the request. */
async function during<Result>(
  event: () => Promise<unknown>,
  request: () => Promise<Result>,
): Promise<Result> {
  provideDeps(beforeFirstTransaction(deps, event));
  try {
    return await request();
  } finally {
    provideDeps(deps);
  }
}

describe("an authorization request during which all access is revoked", () => {
  it("stores no authorization code after the session has ended, even for a trusted application", async () => {
    const approval = await approvalOf(deps, ann, client);
    expect(await issueCode(deps, approval)).toEqual(expect.any(String));
    await reset();
    await expect(issueCode(deps, approval)).rejects.toThrow(SessionEnded);
    expect(await unusedCodes()).toBe(0);
  });

  it("is sent again after a password reset, and then requires a sign-in", async () => {
    await codeFor(deps, ann, query());
    const response = await during(reset, () => authorize(query(), ann));
    expect(response.headers.get("location")).toBe(`${ORIGIN}/oauth/authorize?${encoded(query())}`);
    expect(await unusedCodes()).toBe(0);
    const again = await authorize(query(), ann);
    expect(again.headers.get("location")).toContain("/users/sign_in?");
  });

  it("records no consent if the user allows access with a session that has ended", async () => {
    const response = await during(reset, () => decide(deps, ann, query()));
    expect(response.headers.get("location")).toContain("/oauth/authorize?");
    expect(await unusedCodes()).toBe(0);
    expect(await deps.db.consent.count({ where: { userId: ann.user.id } })).toBe(0);
  });

  it("requires consent again if the consent is withdrawn", async () => {
    await codeFor(deps, ann, query());
    await during(withdraw, () => authorize(query(), ann));
    expect(await unusedCodes()).toBe(0);
    const again = await authorize(query(), ann);
    expect(again.headers.get("location")).toContain("/oauth/consent?");
  });

  it("returns the error consent_required for prompt=none if the consent is withdrawn", async () => {
    await codeFor(deps, ann, query());
    const silent = query({ prompt: "none" });
    const response = await during(withdraw, () => authorize(silent, ann));
    const [, search = ""] = response.headers.get("location")?.split("?") ?? [];
    expect(redirectParameters(await authorize(search, ann))).toMatchObject({ error: "consent_required" });
  });
});

describe("a device that a user allows during a password reset", () => {
  it("stays without approval", async () => {
    const { deviceCode, userCode } = await codesFor(client, { scope: "read_user" });
    const card = await enterUserCode(ann, userCode);
    const page = await during(reset, () => submitDecision(ann, card, "allow"));
    expect(page.headers.get("location")).toContain("/oauth/device?user_code=");
    expect(await pollError(client, deviceCode)).toBe("authorization_pending");
    await decideDevice(boss, userCode, "allow");
    expect(await pollError(client, deviceCode)).toBe("issued");
  });
});

describe("a personal access token that is created while all access is revoked", () => {
  const livingTokens = (userId: number) =>
    deps.db.personalAccessToken.count({ where: { userId, revokedAt: null } });

  it("is not stored for a session that has ended", async () => {
    const draft = { name: "laptop", scopes: ["read_api"], expiresAt: null };
    expect(await createOwnToken(deps, session, draft)).toHaveProperty("value");
    await reset();
    await expect(createOwnToken(deps, session, draft)).rejects.toThrow(SessionEnded);
    expect(await livingTokens(ann.user.id)).toBe(0);
  });

  it("is not stored for a token that is revoked during the request", async () => {
    const root = await apiUser(deps, `root${users}`, { admin: true });
    const create = () =>
      callApi(postToken, "POST", {
        token: root.token,
        path: { id: String(root.user.id) },
        json: { name: "x", scopes: ["api"] },
      });
    expect((await create()).status).toBe(201);
    const { status } = await during(() => resetPassword(deps, root.user, NEW), create);
    expect(status).toBe(401);
    expect(await livingTokens(root.user.id)).toBe(0);
  });
});
