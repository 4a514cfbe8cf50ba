import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { sessionOf } from "@/identity/sessions/service.ts";
import {
  authorizationQuery,
  codeFor,
  exchangeOf,
  PASSWORD,
  registeredClient,
  requestToken,
  signedInUser,
  VERIFIER,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";

const deps = await openTestDeps();

/** Returns the contents of all tables as text. */
async function dump(): Promise<string> {
  const list =
    deps.config.database.provider === "sqlite"
      ? `SELECT name FROM sqlite_master WHERE type = 'table'`
      : `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`;
  const tables = await deps.db.$queryRawUnsafe<{ name: string }[]>(list);
  expect(tables.length).toBeGreaterThan(8);
  const contents = tables.map(({ name }) => deps.db.$queryRawUnsafe(`SELECT * FROM "${name}"`));
  return JSON.stringify(await Promise.all(contents), (_key, value) =>
    typeof value === "bigint" ? String(value) : value,
  );
}

it(
  conformance(
    "XC-15",
    "XC-16",
    "the server stores no token, code, secret, session or password in plain text in tables or log lines",
  ),
  async () => {
    const ann = await signedInUser(deps, "ann");
    const client = await registeredClient(deps, ann.user);
    const publicClient = await registeredClient(deps, ann.user, { confidential: false });
    const unused = await codeFor(deps, ann, authorizationQuery(client));
    const code = await codeFor(deps, ann, authorizationQuery(publicClient));
    const { body } = await requestToken(exchangeOf(publicClient, code));
    await requestToken(exchangeOf(publicClient, code));
    await requestToken(exchangeOf(client, unused, { client_secret: "a wrong secret" }));
    const session = await sessionOf(deps, ann.cookie);

    const issued = {
      unused,
      code,
      access: body["access_token"],
      refresh: body["refresh_token"],
      clientSecret: client.secret,
      session: session?.id,
      cookie: ann.cookie.slice(ann.cookie.indexOf("=") + 1),
      password: PASSWORD,
      verifier: VERIFIER,
      wrongSecret: "a wrong secret",
    };
    const database = await dump();
    const log = JSON.stringify(deps.logged);
    expect(database).toContain(client.id);
    expect(log).toContain("oauth.refused");
    for (const [name, value] of Object.entries(issued)) {
      expect(value, name).toEqual(expect.any(String));
      const random = String(value).replace(/^gh[a-z]{2}_/, "");
      expect(database.includes(random), `the database does not contain ${name}`).toBe(false);
      expect(log.includes(random), `the log does not contain ${name}`).toBe(false);
    }
  },
);

it(
  conformance(
    "AT-26",
    "the server stores client secrets as fast digests, because client secrets are long and random, and the check of a wrong secret must be cheap",
  ),
  async () => {
    const owner = await signedInUser(deps, "bob");
    const { secret = "", application } = await registeredClient(deps, owner.user);
    const rows = await deps.db.applicationSecret.findMany({ where: { applicationId: application.id } });
    expect(rows.map(({ digest }) => digest)).toEqual([createHash("sha256").update(secret).digest("hex")]);
  },
);
