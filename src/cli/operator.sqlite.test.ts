import { Readable } from "node:stream";
import { GET as getUser } from "@app/api/v4/user/route.ts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { FLAGS } from "@/instance/flags/catalog.ts";
import { isOn } from "@/instance/flags/service.ts";
import { SETTINGS } from "@/instance/settings/catalog.ts";
import { readSettings } from "@/instance/settings/service.ts";
import { depsOf } from "@/kernel/deps/deps.ts";
import { ORIGIN, PASSWORD, refusal, requestToken } from "@/testing/authorization.ts";
import { commandLine, gatehouse, useInstance } from "@/testing/command-line.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDatabase } from "@/testing/database.ts";
import { openTestDeps } from "@/testing/deps.ts";

const { config: database, ...opened } = await openTestDatabase();
commandLine();
/** The dependencies of a running server, which uses the same instance as the commands. */
let server: Awaited<ReturnType<typeof openTestDeps>>;

/** Runs a command with `input` on standard input. */
async function run(argv: readonly string[], input = "") {
  const { stdin } = process;
  Object.defineProperty(process, "stdin", { value: Readable.from([input]), configurable: true });
  try {
    return await gatehouse(...argv);
  } finally {
    Object.defineProperty(process, "stdin", { value: stdin, configurable: true });
  }
}

/** Runs a command and returns the JSON object that it prints. */
async function json(argv: readonly string[], input = ""): Promise<Record<string, unknown>> {
  const { status, out, err } = await run([...argv, "--json"], input);
  expect({ status, err }).toEqual({ status: 0, err: "" });
  return JSON.parse(out);
}

const FLAG = "oauth2_device_grant_flow";

beforeAll(async () => {
  useInstance(database);
  await run(["migrate"]);
  await run(["application", "list"]);
  await run(["user", "create", "--username", "oli", "--email", "oli@example.com", "--password", PASSWORD]);
});
beforeEach(async () => {
  server = await openTestDeps({ ...depsOf(opened), clock: () => new Date() });
});

/**
 * Returns the status of the server's response to a request with an access token. Each command replaces the
 * dependencies of the process, so the function provides the dependencies of the server again before the
 * request.
 */
async function status(token: string): Promise<number> {
  await openTestDeps({ ...depsOf(opened), clock: () => new Date() });
  const headers = { authorization: `Bearer ${token}` };
  return (await getUser(new Request(`${ORIGIN}/api/v4/user`, { headers }))).status;
}

describe("the command `gatehouse setting`", () => {
  it("`setting list` prints every setting and its purpose", async () => {
    const all = await json(["setting", "list"]);
    expect(all).toEqual(await readSettings(server));
    const { out } = await run(["setting", "list"]);
    for (const [key, { about }] of Object.entries(SETTINGS)) {
      expect(out).toContain(`${key} = `);
      expect(out).toContain(about);
    }
  });

  it("`setting set` changes a setting of a running server, and `setting get` prints the new value", async () => {
    expect(await json(["setting", "set", "oauth_code_expires_in", "60"])).toEqual({
      oauth_code_expires_in: 60,
    });
    expect((await readSettings(server)).oauth_code_expires_in).toBe(60);
    expect((await run(["setting", "get", "oauth_code_expires_in"])).out).toBe("60\n");
    expect(await json(["setting", "set", "signup_enabled", "true"])).toEqual({
      signup_enabled: true,
    });
    expect((await run(["setting", "list"])).out).toContain("signup_enabled = true (default false)");
    expect((await run(["setting", "set", "signup_enabled", "false"])).status).toBe(0);
    const event = await server.db.auditEvent.findFirstOrThrow({ orderBy: { id: "desc" } });
    expect(event).toMatchObject({ name: "setting.changed", userId: null });
  });

  it(
    conformance(
      "SC-20",
      "`setting set` changes a setting to an allowed choice, and prints the allowed choices when the value is not allowed",
    ),
    async () => {
      const set = (value: string) => run(["setting", "set", "authorization_response_iss", value]);
      expect((await set("never")).out).toBe("authorization_response_iss is now never.\n");
      expect((await readSettings(server)).authorization_response_iss).toBe("never");
      expect(await set("maybe")).toMatchObject({
        status: 2,
        err: expect.stringContaining("must be one of openid, always, never."),
      });
      expect((await set("openid")).status).toBe(0);
    },
  );

  it.each<[string, string[], RegExp]>([
    ["an unknown key", ["set", "color", "blue"], /no setting color/],
    ["an unknown key", ["get", "constructor"], /no setting constructor/],
    ["a value outside of its limits", ["set", "oauth_code_expires_in", "601"], /from 10 to 600/],
    ["a negative number", ["set", "oauth_code_expires_in", "-1"], /from 10 to 600/],
    ["a negative number", ["set", "oauth_code_expires_in", "-1", "--json"], /from 10 to 600/],
    ["an unknown option", ["set", "oauth_code_expires_in", "60", "-x"], /Unknown option '-x'/],
    ["text for a number", ["set", "oauth_code_expires_in", "soon"], /whole number/],
    ["a number for a flag", ["set", "signup_enabled", "7"], /true or false/],
    ["no value", ["set", "signup_enabled"], /setting set KEY VALUE/],
    ["no key", ["get"], /setting get KEY/],
    ["too many arguments", ["set", "signup_enabled", "true", "now"], /setting set KEY VALUE/],
    ["too many arguments", ["list", "all"], /setting list/],
  ])("`setting` exits with an error message and status 2 for %s", async (_what, argv, sentence) => {
    const { status, out, err } = await run(["setting", ...argv]);
    expect({ status, out }).toEqual({ status: 2, out: "" });
    expect(err).toMatch(sentence);
  });
});

describe("the command `gatehouse feature`", () => {
  it("`feature enable` and `feature disable` change a running server immediately", async () => {
    expect(await json(["feature", "enable", FLAG])).toEqual({ name: FLAG, state: "on" });
    expect(await isOn(server, FLAG)).toBe(true);
    expect((await run(["feature", "list"])).out).toMatch(new RegExp(`^on {2}${FLAG}: `, "m"));
    expect((await run(["feature", "disable", FLAG])).out).toMatch(/is now off/);
    expect(await isOn(server, FLAG)).toBe(false);
    expect((await json(["feature", "list"]))["features"]).toHaveLength(Object.keys(FLAGS).length);
  });

  it.each([[["enable", "no_such_thing"]], [["disable"]], [["enable", FLAG, FLAG]], [["enable", "toString"]]])(
    "`feature` exits with an error message and status 2 for the arguments %j",
    async (argv) => {
      const { status, out, err } = await run(["feature", ...argv]);
      expect({ status, out }).toEqual({ status: 2, out: "" });
      expect(err).toMatch(/no feature|Usage: gatehouse feature/);
    },
  );
});

const CREATE = ["token", "create", "--user", "root", "--scopes", "api read_user", "--name", "laptop"];

describe("the command `gatehouse token`", () => {
  it("`token create` prints only the token, which works immediately", async () => {
    const { status: exit, out, err } = await run(CREATE);
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    expect(out).toMatch(/^ghpt_\S+\n$/);
    expect(await status(out.trim())).toBe(200);
  });

  it("`token create --json` prints the token and its properties as JSON", async () => {
    const expiresAt = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    expect(await json([...CREATE, "--expires-at", expiresAt])).toEqual({
      id: expect.any(Number),
      token: expect.stringMatching(/^ghpt_/),
      name: "laptop",
      scopes: ["api", "read_user"],
      expires_at: expiresAt,
    });
  });

  it("`token revoke` revokes a token by its id or by its value", async () => {
    const [first, second] = [await json(CREATE), await json(CREATE)];
    expect((await run(["token", "revoke", "--id", String(first["id"])])).status).toBe(0);
    expect(await status(String(first["token"]))).toBe(401);
    expect(await status(String(second["token"]))).toBe(200);
    expect(await json(["token", "revoke"], `${second["token"]}\n`)).toEqual({
      revoked: true,
      was_revoked_before: false,
    });
    expect(await status(String(second["token"]))).toBe(401);
    const again = await json(["token", "revoke"], String(second["token"]));
    expect(again).toEqual({ revoked: true, was_revoked_before: true });
  });

  it("`token revoke` also revokes an OAuth token", async () => {
    const form = { grant_type: "password", username: "oli", password: PASSWORD };
    const token = String((await requestToken(form)).body["access_token"]);
    expect(await status(token)).toBe(200);
    expect((await run(["token", "revoke"], token)).out).toBe("The token is revoked.\n");
    expect(await status(token)).toBe(401);
    const event = await server.db.auditEvent.findFirstOrThrow({ where: { name: "token.revoked" } });
    expect(JSON.parse(event.details)).toEqual({ by: "operator" });
  });

  it.each<[string, string[], string, RegExp]>([
    [
      "an unknown user",
      ["create", "--user", "nobody", "--scopes", "api", "--name", "x"],
      "",
      /no user nobody/,
    ],
    ["no name", ["create", "--user", "root", "--scopes", "api"], "", /--name is missing/],
    ["no scopes", ["create", "--user", "root", "--name", "x"], "", /--scopes is missing/],
    [
      "a scope for signing in",
      ["create", "--user", "root", "--scopes", "openid", "--name", "x"],
      "",
      /scope openid/,
    ],
    ["an unknown scope", ["create", "--user", "root", "--scopes", "sudo", "--name", "x"], "", /scope sudo/],
    ["a day in the past", [...CREATE.slice(1), "--expires-at", "2020-01-01"], "", /future/],
    ["a day too far away", [...CREATE.slice(1), "--expires-at", "2999-12-31"], "", /at most 365 days/],
    ["a date that does not exist", [...CREATE.slice(1), "--expires-at", "2999-02-30"], "", /YYYY-MM-DD/],
    ["an unknown id", ["revoke", "--id", "999999"], "", /no personal access token with the id 999999/],
    ["an id that is not a number", ["revoke", "--id", "x"], "", /number/],
    ["an unknown token", ["revoke"], "ghpt_unknown", /This token does not exist/],
    ["an unknown OAuth token", ["revoke"], "ghat_unknown", /This token does not exist/],
    ["nothing on standard input", ["revoke"], " \n", /contains no token/],
  ])("`token` exits with an error message and status 2 for %s", async (_what, argv, input, sentence) => {
    const ran = await run(["token", ...argv], input);
    expect({ status: ran.status, out: ran.out }).toEqual({ status: 2, out: "" });
    expect(ran.err).toMatch(sentence);
  });
});

describe("the command `gatehouse prune`", () => {
  it("`prune` removes expired data and prints the number of removed rows of each kind", async () => {
    const longAgo = new Date(Date.now() - 30 * 86_400_000);
    await server.db.rateCounter.create({ data: { key: "x", count: 1, endsAt: longAgo } });
    expect(await json(["prune"])).toEqual({
      removed: {
        codes: 0,
        device_codes: 0,
        tokens: 0,
        families: 0,
        sessions: 0,
        personal_tokens: 0,
        bot_memberships: 0,
        application_bots: 0,
        unused_clients: 0,
        webhook_deliveries: 0,
        client_sessions: 0,
        failed_exchanges: 0,
        rate_counters: 1,
        spent_proofs: 0,
        used_jwts: 0,
        pushed_requests: 0,
        held_forms: 0,
        provider_sign_ins: 0,
        hourly_counts: 0,
        mails: 0,
        audit_events: 0,
        error_events: 0,
        error_hours: 0,
        error_counts: 0,
        errors: 0,
        signing_keys: 0,
        package_leftovers: 0,
      },
    });
    expect((await run(["prune"])).out).toBe(
      "Removed codes: 0, device codes: 0, rate counters: 0, failed exchanges: 0, unused clients: 0, hourly counts: 0, sessions: 0, spent proofs: 0, used jwts: 0, pushed requests: 0, held forms: 0, provider sign ins: 0, mails: 0, webhook deliveries: 0, client sessions: 0, personal tokens: 0, bot memberships: 0, application bots: 0, audit events: 0, error events: 0, error hours: 0, error counts: 0, errors: 0, tokens: 0, families: 0, signing keys: 0, package leftovers: 0.\n",
    );
  });
});

describe("a setting that disables passwords", () => {
  it("a running server refuses a password grant after `setting set` has disabled passwords", async () => {
    await run(["setting", "set", "password_authentication_enabled_for_git", "false"]);
    await openTestDeps({ ...depsOf(opened), clock: () => new Date() });
    const form = { grant_type: "password", username: "oli", password: PASSWORD };
    expect(await requestToken(form)).toMatchObject(refusal("invalid_grant"));
  });
});
