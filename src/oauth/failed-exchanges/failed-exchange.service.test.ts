import { beforeAll, describe, expect, it } from "vitest";
import {
  authorizationQuery,
  codeFor,
  exchangeOf,
  registeredClient,
  requestToken,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { FAILURES } from "./catalog.ts";
import { recentFailures, recordFailure } from "./failed-exchange.ts";

const deps = await openTestDeps();
let ann: SignedInUser;

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
});

const countOf = (applicationId: number) => deps.db.failedExchange.count({ where: { applicationId } });
const from = { endpoint: "/oauth/token", address: "192.0.2.1" };

describe("a failed exchange", () => {
  it("a failed exchange is recorded with its cause for the owner of the application, but without any part of a secret", async () => {
    const client = await registeredClient(deps, ann.user);
    const wrong = `${client.secret?.slice(0, -4)}zzzz`;
    const code = await codeFor(deps, ann, authorizationQuery(client));
    const { id } = client.application;
    await requestToken(exchangeOf(client, code, { client_secret: wrong }));
    await expect.poll(() => countOf(id)).toBe(1);
    await requestToken(exchangeOf(client, code, { redirect_uri: "https://client.example.com/other" }));
    await expect.poll(() => countOf(id)).toBe(2);
    const failures = await recentFailures(deps, ann.user, id, 20);
    expect(failures.map(({ reason }) => reason)).toEqual(["code_redirect_uri_differs", "secret_wrong"]);
    expect(failures[0]).toMatchObject({ endpoint: "/oauth/token", at: deps.clock() });
    const rows = JSON.stringify(await deps.db.failedExchange.findMany());
    expect(rows).not.toContain("zzzz");
    expect(rows).not.toContain(code.slice(0, 12));
    for (const { reason } of failures) expect(FAILURES[reason].remedy).toMatch(/\.$/);
    const bob = await signedInUser(deps, "bob");
    expect(await recentFailures(deps, bob.user, id, 20)).toEqual([]);
  });

  it("a failure is recorded only if the application exists and its developer can fix the cause", async () => {
    const { application } = await registeredClient(deps, ann.user);
    await requestToken({ grant_type: "refresh_token", client_id: "unknown", refresh_token: "x" });
    recordFailure(deps, { origin: () => from, clientUid: application.uid, reason: "unexpected" });
    recordFailure(deps, { origin: () => from, clientUid: application.uid, reason: "constructor" });
    recordFailure(deps, { origin: () => from, clientUid: application.uid, reason: "secret_wrong" });
    await expect.poll(() => countOf(application.id)).toBe(1);
    expect(await deps.db.failedExchange.count({ where: { reason: { not: "secret_wrong" } } })).toBe(1);
  });

  it("at most ten failures of an application are recorded in a minute", async () => {
    const { application } = await registeredClient(deps, ann.user);
    const failure = { origin: () => from, clientUid: application.uid, reason: "secret_wrong" };
    for (let number = 0; number < 500; number++) recordFailure(deps, failure);
    await expect.poll(() => countOf(application.id)).toBe(10);
    deps.advance(60);
    recordFailure(deps, failure);
    await expect.poll(() => countOf(application.id)).toBe(11);
  });

  it("a new failure replaces the oldest failure when the application has a hundred recorded failures", async () => {
    const { application } = await registeredClient(deps, ann.user);
    const { id: applicationId } = application;
    const old = { ...from, applicationId, reason: "code_expired", at: deps.clock() };
    await deps.db.failedExchange.createMany({ data: Array.from({ length: 150 }, () => old) });
    recordFailure(deps, { origin: () => from, clientUid: application.uid, reason: "secret_wrong" });
    await expect.poll(() => countOf(applicationId)).toBe(100);
    const failures = await recentFailures(deps, ann.user, applicationId, 200);
    expect(failures[0]?.reason).toBe("secret_wrong");
  });

  it("the recorded failures of an application are deleted with the application", async () => {
    const { application } = await registeredClient(deps, ann.user);
    recordFailure(deps, { origin: () => from, clientUid: application.uid, reason: "secret_wrong" });
    await expect.poll(() => countOf(application.id)).toBe(1);
    await deps.db.application.delete({ where: { id: application.id } });
    expect(await countOf(application.id)).toBe(0);
  });
});
