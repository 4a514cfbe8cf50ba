import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { DatabaseConfig } from "@/platform/config.ts";
import { PASSWORD } from "@/testing/authorization.ts";
import { commandLine, gatehouse, json, useInstance } from "@/testing/command-line.ts";
import { emptyDatabase } from "@/testing/database.ts";

commandLine();

const NEW_APPLICATION = [
  "--name",
  "Client",
  "--redirect-uri",
  "https://client.example.com/callback",
  "--owner",
  "root",
];

describe("a first command on an empty database", () => {
  it("migrates, makes the administrator once, and says so apart from its own answer", async () => {
    useInstance(await emptyDatabase());
    const first = await gatehouse("application", "list", "--json");
    expect(first).toMatchObject({ status: 0, out: '{"applications":[]}\n' });
    expect(first.err).toMatch(/administrator root/);
    expect(await gatehouse("application", "list")).toEqual({
      status: 0,
      out: "There are no applications yet.\n",
      err: "",
    });
  });

  it("writes a generated password into a file of its owner alone, when nobody reads the terminal", async () => {
    const folder = useInstance(await emptyDatabase());
    vi.stubEnv("GATEHOUSE_ROOT_PASSWORD", "");
    const { err } = await gatehouse("application", "list");
    const file = join(folder, "initial_root_password");
    expect(err).toContain(file);
    const password = readFileSync(file, "utf8").trim();
    expect(password.length).toBeGreaterThanOrEqual(20);
    expect(err).not.toContain(password);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("makes a secret that only its owner can read, and refuses another one from then on", async () => {
    const folder = useInstance(await emptyDatabase());
    vi.stubEnv("GATEHOUSE_SECRET", "");
    expect((await gatehouse("application", "list")).status).toBe(0);
    expect(statSync(join(folder, "secret")).mode & 0o777).toBe(0o600);
    vi.stubEnv("GATEHOUSE_SECRET", "another secret of more than thirty-two letters");
    const { status, err } = await gatehouse("application", "list");
    expect(status).toBe(1);
    expect(err).toMatch(/another instance secret/);
  });
});

describe("migrate and doctor", () => {
  it("say what is to be done, do it, and find nothing more to do", async () => {
    useInstance(await emptyDatabase());
    expect(JSON.stringify(await json("doctor"))).toMatch(/to apply|first start/);
    expect(await json("migrate")).toEqual({
      applied: expect.arrayContaining([expect.stringMatching(/^\d{14}_init$/)]),
    });
    expect(await json("migrate")).toEqual({ applied: [] });
    expect(await json("doctor")).toEqual({
      findings: ["node", "data folder", "secret", "database", "migrations", "secret of the database"].map(
        (check) => ({ check, ok: true, detail: expect.any(String) }),
      ),
    });
    expect((await gatehouse("doctor")).out).toMatch(/^ok +node: /);
  });

  it("refuse what `serve` refuses, with the same sentence, and change nothing", async () => {
    const folder = useInstance(await emptyDatabase());
    vi.stubEnv("GATEHOUSE_SECRET", "");
    expect((await gatehouse("doctor")).status).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
    expect((await gatehouse("application", "list")).status).toBe(0);
    expect((await gatehouse("doctor")).out).toContain("ok      secret of the database: the one that");
    rmSync(join(folder, "secret"));
    const another = /^PROBLEM secret of the database: .*another instance secret/m;
    const lost = await gatehouse("doctor");
    expect(lost).toMatchObject({ status: 1, out: expect.stringMatching(another) });
    expect(existsSync(join(folder, "secret"))).toBe(false);
    vi.stubEnv("GATEHOUSE_SECRET", "another secret of more than thirty-two letters");
    expect((await gatehouse("doctor")).out).toMatch(another);
    vi.stubEnv("TRUSTED_PROXIES", "10.0.0.0/8, foo");
    expect(await gatehouse("doctor")).toEqual({
      status: 1,
      out: "",
      err: expect.stringMatching(/^The environment is not usable:\n {2}TRUSTED_PROXIES "foo" is neither /),
    });
    vi.stubEnv("TRUSTED_PROXIES", "");
    useInstance({ provider: "postgresql", url: "postgresql://gatehouse:word@db.invalid:5433/none" });
    vi.stubEnv("GATEHOUSE_SECRET", "");
    const far = await gatehouse("doctor");
    expect(far).toMatchObject({ status: 1, err: "" });
    expect(far.out).toMatch(/^PROBLEM secret: GATEHOUSE_SECRET is not set/m);
    expect(far.out).toMatch(
      /^PROBLEM database: The database at db\.invalid:5433 does not answer; see DATABASE_URL/m,
    );
    expect(far.out).not.toMatch(/prisma|:word/i);
  });

  it("fail with status 1 and a sentence when the database cannot be reached", async () => {
    useInstance({ provider: "postgresql", url: "postgresql://127.0.0.1:1/none" });
    const { status, out } = await gatehouse("doctor");
    expect(status).toBe(1);
    expect(out).toMatch(/PROBLEM database: /);
    const failed = await gatehouse("application", "list");
    expect(failed.status).toBe(1);
    expect(failed.err).not.toBe("");
    expect(failed.err).not.toMatch(/\n\s+at /);
  });
});

describe("the commands", () => {
  let database: DatabaseConfig;
  beforeAll(async () => {
    database = await emptyDatabase();
    useInstance(database);
    await gatehouse("migrate");
    await gatehouse("application", "list");
  });
  beforeEach(() => useInstance(database));

  it.each<[string, string[], RegExp]>([
    ["an unknown noun", ["frobnicate", "now"], /no command "frobnicate now"/],
    ["an unknown verb", ["user", "frobnicate"], /no command "user frobnicate"/],
    ["a noun alone", ["user"], /no command "user"/],
    ["an unknown option", ["application", "list", "--foo"], /--foo/],
    ["an option without its value", ["user", "create", "--username"], /--username/],
    ["a missing option", ["user", "create", "--username", "x"], /--email is missing/],
    ["an argument too many", ["application", "list", "extra"], /extra/],
    ["no scopes", ["application", "create", ...NEW_APPLICATION], /--scopes is missing/],
    ["an unknown scope", ["application", "create", ...NEW_APPLICATION, "--scopes", "sudo"], /no scope sudo/],
    [
      "a bad redirect URI",
      ["application", "create", ...NEW_APPLICATION, "--scopes", "api", "--redirect-uri", "javascript:x"],
      /Line 2 .*javascript/,
    ],
    [
      "an unknown owner",
      [
        "application",
        "create",
        "--name",
        "x",
        "--redirect-uri",
        "a:/",
        "--scopes",
        "api",
        "--owner",
        "nobody",
      ],
      /no person nobody/,
    ],
    ["an unknown person", ["user", "reset-password", "--username", "nobody"], /no person nobody/],
    [
      "a short password",
      ["user", "reset-password", "--username", "root", "--password", "short"],
      /--password/,
    ],
    [
      "a taken name",
      ["user", "create", "--username", "ROOT", "--email", "r@example.com", "--password", PASSWORD],
      /taken/,
    ],
    [
      "a bad name",
      ["user", "create", "--username", "a b", "--email", "x", "--password", "short"],
      /--username[^\n]+\n--email[^\n]+\n--password/,
    ],
  ])("answer bad input with a sentence on standard error and status 2: %s", async (_what, argv, sentence) => {
    const { status, out, err } = await gatehouse(...argv);
    expect({ status, out }).toEqual({ status: 2, out: "" });
    expect(err).toMatch(sentence);
    expect(err).not.toMatch(/\n\s+at /);
  });

  it.each([[[]], [["--help"]], [["help"]], [["user", "create", "--help"]]])(
    "explain themselves: %j",
    async (argv) => {
      const { status, out, err } = await gatehouse(...argv);
      expect({ status, err }).toEqual({ status: 0, err: "" });
      for (const name of [
        "serve",
        "migrate",
        "doctor",
        "user create",
        "user reset-password",
        "application create",
      ])
        expect(out).toMatch(new RegExp(`^ {2}${name}( |$)`, "m"));
    },
  );
});
