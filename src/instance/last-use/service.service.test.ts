import { GET as getUser } from "@app/api/v4/user/route.ts";
import { GET as getTokenInfo } from "@app/oauth/token/info/route.ts";
import { GET as getUserinfo } from "@app/oauth/userinfo/route.ts";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { sessionOf } from "@/identity/sessions/service.ts";
import { CLIENT_IP_HEADER } from "@/kernel/http/ip-address.ts";
import {
  type Client,
  ORIGIN,
  PASSWORD,
  postToken,
  registeredClient,
  requestToken,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { bearer, grantedTokens, refreshOf, revoke, type Tokens, tokensIn } from "@/testing/tokens.ts";
import { enqueueGrantUse, writeLastUses } from "./service.ts";

const deps = await openTestDeps();

let ann: SignedInUser;
let client: Client;
let tokens: Tokens;
let familyId: number;

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
  client = await registeredClient(deps, ann.user, { scopes: ["read_user", "openid"] });
});

beforeEach(async () => {
  tokens = await grantedTokens(deps, ann, client, { scope: "read_user openid" });
  await writeLastUses(deps);
  familyId = (await deps.db.tokenFamily.findFirstOrThrow({ orderBy: { id: "desc" } })).id;
});

type Headers = Readonly<Record<string, string>>;
const from = (ipAddress: string, userAgent: string): Headers => ({
  [CLIENT_IP_HEADER]: ipAddress,
  "user-agent": userAgent,
});

const request = (path: string, headers: Headers): Request =>
  new Request(ORIGIN + path, { headers: { ...bearer(tokens.access), ...headers } });

async function written() {
  await writeLastUses(deps);
  const family = await deps.db.tokenFamily.findUniqueOrThrow({ where: { id: familyId } });
  const application = await deps.db.application.findUniqueOrThrow({ where: { id: client.application.id } });
  const { lastUsedAt, lastAddress, lastUserAgent } = family;
  return { lastUsedAt, lastAddress, lastUserAgent, application: application.lastUsedAt };
}

describe("the last use of a token", () => {
  const ways: [string, (headers: Headers) => Promise<Response>][] = [
    ["a request to the API", (headers) => getUser(request("/api/v4/user", headers))],
    ["a request to userinfo", (headers) => getUserinfo(request("/oauth/userinfo", headers))],
    ["a request to token info", (headers) => getTokenInfo(request("/oauth/token/info", headers))],
  ];
  it.each(ways)(
    "%s updates the last-used time, IP address and user agent of the token, and the last-used time of the application",
    async (_name, use) => {
      deps.advance(600);
      expect((await use(from("203.0.113.7", "acme-cli/2.1 (Linux)\u0007"))).status).toBe(200);
      expect(await written()).toEqual({
        lastUsedAt: deps.clock(),
        lastAddress: "203.0.113.7",
        lastUserAgent: "acme-cli/2.1 (Linux)",
        application: deps.clock(),
      });
    },
  );

  it("the last-used time of a token is recorded at most once in five minutes", async () => {
    deps.advance(600);
    await getUser(request("/api/v4/user", from("203.0.113.7", "first")));
    await getUser(request("/api/v4/user", from("203.0.113.7", "second")));
    const first = await written();
    deps.advance(299);
    await getUser(request("/api/v4/user", from("203.0.113.8", "third")));
    expect(await written()).toEqual(first);
    expect(first).toMatchObject({ lastUserAgent: "first" });
    deps.advance(1);
    await getUser(request("/api/v4/user", from("203.0.113.8", "fourth")));
    expect(await written()).toMatchObject({ lastUsedAt: deps.clock(), lastUserAgent: "fourth" });
  });

  it("the last-used time of a token is not recorded when the token is no longer valid", async () => {
    await revoke({ token: tokens.access, client_id: client.id, client_secret: client.secret });
    const before = await written();
    deps.advance(600);
    expect((await getUser(request("/api/v4/user", from("203.0.113.9", "thief")))).status).toBe(401);
    expect(await written()).toEqual(before);
  });

  it("the last-used times of tokens are written by a timer, ten seconds after the first use of a batch", async () => {
    deps.advance(600);
    const at = deps.clock();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    await getUser(request("/api/v4/user", from("203.0.113.7", "timed")));
    vi.advanceTimersByTime(10_000);
    vi.useRealTimers();
    const row = () => deps.db.tokenFamily.findUniqueOrThrow({ where: { id: familyId } });
    await expect.poll(async () => (await row()).lastUsedAt).toEqual(at);
  });
  afterEach(() => {
    vi.useRealTimers();
  });
});

describe("the last uses of grants and sessions", () => {
  it("the last-used time of a grant is also recorded when a client receives or refreshes tokens", async () => {
    deps.advance(600);
    const form = new URLSearchParams(refreshOf(client, tokens.refresh) as Record<string, string>).toString();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const response = await postToken(form, { ...headers, ...from("198.51.100.4", "acme-server/3") });
    tokensIn(response);
    expect(await written()).toMatchObject({
      lastUsedAt: deps.clock(),
      lastAddress: "198.51.100.4",
      lastUserAgent: "acme-server/3",
    });
    const grant = { grant_type: "password", username: "ann", password: PASSWORD, scope: "read_user" };
    expect((await requestToken(grant)).status).toBe(200);
    await writeLastUses(deps);
    const family = await deps.db.tokenFamily.findFirstOrThrow({ where: { grantType: "password" } });
    expect(family).toMatchObject({ applicationId: null, lastUsedAt: deps.clock(), lastAddress: "unknown" });
  });

  it("the last-used times of a thousand grants are written in one batch, which skips deleted grants", async () => {
    const grant = { userId: ann.user.id, grantType: "password", scopes: "api", rotations: 0 };
    const createdAt = deps.clock();
    await deps.db.tokenFamily.createMany({
      data: Array.from({ length: 1_100 }, () => ({ ...grant, applicationId: null, createdAt })),
    });
    const where = { userId: ann.user.id, lastUsedAt: null };
    const families = await deps.db.tokenFamily.findMany({ where, select: { id: true } });
    for (const { id } of families)
      enqueueGrantUse(deps, { familyId: id, applicationId: null, lastUsedAt: null }, () => ({
        ipAddress: `2001:db8::${id}`,
        userAgent: `it's "${id}"`,
      }));
    enqueueGrantUse(deps, { familyId: 2 ** 31 - 1, applicationId: null, lastUsedAt: null }, () => ({
      ipAddress: "",
      userAgent: "",
    }));
    await writeLastUses(deps);
    const rows = await deps.db.tokenFamily.findMany({ where: { id: { gte: families[0]?.id ?? 0 } } });
    expect(families.length).toBe(1_100);
    for (const { id, lastAddress, lastUserAgent, lastUsedAt } of rows)
      expect([lastAddress, lastUserAgent, lastUsedAt]).toEqual([
        `2001:db8::${id}`,
        `it's "${id}"`,
        deps.clock(),
      ]);
    expect(deps.logged.filter(({ event }) => event === "last_use.not_recorded")).toEqual([]);
  });

  it("the last-used times of tokens are discarded while the batch is full; after the batch has been written, new times are recorded", async () => {
    const caller = vi.fn(() => ({ ipAddress: "", userAgent: "" }));
    for (let id = 1; id <= 10_100; id++)
      enqueueGrantUse(deps, { familyId: 1_000_000_000 + id, applicationId: null, lastUsedAt: null }, caller);
    await getUser(request("/api/v4/user", from("203.0.113.7", "crowded out")));
    await writeLastUses(deps);
    expect((await written()).lastUserAgent).not.toBe("crowded out");
    deps.advance(300);
    await getUser(request("/api/v4/user", from("203.0.113.7", "in the next batch")));
    expect((await written()).lastUserAgent).toBe("in the next batch");
  });

  it("the last-used time of a session is written at most once in five minutes", async () => {
    const lastSeenAt = async () => {
      await writeLastUses(deps);
      return (await deps.db.session.findFirstOrThrow({ where: { userId: ann.user.id } })).lastSeenAt;
    };
    deps.advance(600);
    await sessionOf(deps, ann.cookie);
    const first = deps.clock();
    expect(await lastSeenAt()).toEqual(first);
    deps.advance(299);
    await sessionOf(deps, ann.cookie);
    expect(await lastSeenAt()).toEqual(first);
    deps.advance(1);
    await sessionOf(deps, ann.cookie);
    expect(await lastSeenAt()).toEqual(deps.clock());
  });
});
