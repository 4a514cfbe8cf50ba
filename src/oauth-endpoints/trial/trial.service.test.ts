import { GET as getUser } from "@app/api/v4/user/route.ts";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { sessionOf } from "@/identity/sessions/service.ts";
import { beginTrial } from "@/oauth/authorizations/trial.ts";
import {
  authorizationQuery,
  authorize,
  bearerStatus,
  type Client,
  decide,
  reauthenticate,
  redirectParameters,
  registeredClient,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { loadTrialResult } from "./loaders.ts";

/** The simulated request, whose headers the mocked functions of Next.js return. */
const request = vi.hoisted(() => ({ headers: new Headers() }));
vi.mock("next/headers", () => ({ headers: async () => request.headers }));

const deps = await openTestDeps();
let ann: SignedInUser;
let client: Client;
let path: string;

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
  client = await registeredClient(deps, ann.user, { scopes: ["openid", "read_user"] });
  path = `/user_settings/applications/${client.application.id}/try`;
  request.headers = new Headers({ cookie: ann.cookie });
  await reauthenticate(deps, ann);
});

async function begin(user = ann): Promise<Readonly<Record<string, string>>> {
  const session = await sessionOf(deps, user.cookie);
  if (session === null) throw new Error("The session is not live.");
  return beginTrial(deps, session, client.application);
}

const result = (parameters: Readonly<Record<string, string>>) =>
  loadTrialResult(String(client.application.id), parameters, getUser);

const locationOf = (response: Response): string => response.headers.get("location") ?? "";

describe("a trial authorization", () => {
  it("a trial authorization shows each response of the flow, revokes the tokens, and stores no consent", async () => {
    const query = await begin();
    expect(locationOf(await authorize(query, ann))).toContain("/oauth/consent?");
    const response = redirectParameters(await decide(deps, ann, query), query["redirect_uri"]);
    const { steps } = await result(response);
    expect(steps?.map(({ title }) => title)).toEqual([
      "Authorization response",
      "Token response",
      "ID token, decoded",
      "Userinfo",
      "GET /user",
      "Revocation",
    ]);
    const [, token, idToken, userinfo, user] = steps ?? [];
    expect(token?.request).toContain(`client_secret="$CLIENT_SECRET"`);
    expect(idToken?.response).toContain(`"nonce": "${query["nonce"]}"`);
    expect(userinfo?.response).toMatch(/^HTTP 200\n[\s\S]*"sub"/);
    expect(user?.response).toMatch(/^HTTP 200\n[\s\S]*"username": "ann"/);
    const access = /"access_token": "([^"]+)"/.exec(token?.response ?? "")?.[1] ?? "";
    expect(access).toMatch(/^ghat_/);
    expect(await bearerStatus(access)).toBe(401);
    expect(await deps.db.consent.count()).toBe(0);
    expect((await result(response)).steps, "a second time").toBeNull();
    const { redirectUris } = await deps.db.application.findUniqueOrThrow({ where: { uid: client.id } });
    expect(redirectUris).toBe(client.application.redirectUris.join("\n"));
  });

  it("a trial authorization does not change an earlier consent of the owner, whether the owner completes, denies or abandons the trial authorization", async () => {
    const consent = { userId: ann.user.id, applicationId: client.application.id, scopes: "read_user" };
    const now = deps.clock();
    await deps.db.consent.create({ data: { ...consent, createdAt: now, updatedAt: now } });
    const before = await deps.db.consent.findMany();
    deps.advance(1);
    const query = await begin();
    await result(redirectParameters(await decide(deps, ann, query), query["redirect_uri"]));
    expect(await deps.db.consent.findMany(), "completed").toEqual(before);
    const second = await begin();
    const denied = await decide(deps, ann, second, { decision: "deny" });
    await result(redirectParameters(denied, second["redirect_uri"]));
    expect(await deps.db.consent.findMany(), "denied").toEqual(before);
    await decide(deps, ann, await begin());
    expect(await deps.db.consent.findMany(), "abandoned").toEqual(before);
    await deps.db.consent.deleteMany();
  });

  it("a trial authorization keeps a consent that the owner gives in another tab before the trial authorization ends", async () => {
    const query = await begin();
    const response = redirectParameters(await decide(deps, ann, query), query["redirect_uri"]);
    expect(await deps.db.consent.count(), "after the approval of the trial").toBe(0);
    redirectParameters(await decide(deps, ann, authorizationQuery(client)));
    await result(response);
    expect(await deps.db.consent.findMany()).toMatchObject([{ scopes: "read_user" }]);
    await deps.db.consent.deleteMany();
  });

  it("the page of a trial authorization shows that the user denied access", async () => {
    const query = await begin();
    const denied = await decide(deps, ann, query, { decision: "deny" });
    const { steps } = await result(redirectParameters(denied, query["redirect_uri"]));
    expect(steps).toMatchObject([{ request: expect.stringContaining("error=access_denied") }]);
  });

  it("only the user who started a trial authorization can use its redirect URI, and only with the state and the code challenge of the trial authorization", async () => {
    const query = await begin();
    const eve = await signedInUser(deps, "eve");
    const refused: [Readonly<Record<string, string>>, SignedInUser][] = [
      [query, eve],
      [{ ...query, state: "another" }, ann],
      [{ ...query, code_challenge: "A".repeat(43) }, ann],
    ];
    for (const [changed, user] of refused) {
      expect(locationOf(await authorize(changed, user))).toMatch(new RegExp(`${path}$`));
      const forged = await decide(deps, user, changed);
      expect(locationOf(forged)).toMatch(new RegExp(`${path}$`));
    }
    expect((await authorize(query)).status, "without a session").not.toBe(200);
    expect((await result({ code: "a code", state: "another" })).steps).toBeNull();
  });

  it("a trial authorization is not available for the application of another user", async () => {
    const mia = await signedInUser(deps, "mia");
    request.headers = new Headers({ cookie: mia.cookie });
    await expect(result({ code: "a code", state: "a state" })).rejects.toMatchObject({
      digest: expect.stringContaining("404"),
    });
  });
});
