import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { findByUid } from "@/features/applications/service.ts";
import { sessionOf } from "@/features/sign-in/service.ts";
import type { DatabaseConfig } from "@/platform/config.ts";
import { openDatabase } from "@/platform/db/open.ts";
import {
  askFor,
  codeFor,
  exchangeOf,
  PASSWORD,
  requestToken,
  signedInCookie,
} from "@/testing/authorization.ts";
import { emptyDatabase } from "@/testing/database.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { temporaryFolder } from "@/testing/folder.ts";
import { main } from "./main.ts";

const ROOT_PASSWORD = "the first password";

/** The environment of an instance on `database`, for the commands to read. */
function useInstance(database: DatabaseConfig): string {
  const folder = temporaryFolder();
  vi.stubEnv("DATA_DIR", folder);
  vi.stubEnv("DATABASE_URL", database.provider === "sqlite" ? `file:${database.file}` : database.url);
  vi.stubEnv("GATEHOUSE_SECRET", "the secret of the tests, which protects nothing");
  vi.stubEnv("GATEHOUSE_ROOT_PASSWORD", ROOT_PASSWORD);
  vi.stubEnv("BASE_URL", "http://localhost:3000");
  vi.stubEnv("LOG_LEVEL", "silent");
  return folder;
}

const written = { out: "", err: "" };

beforeAll(() => {
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    written.out += text;
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    written.err += text;
    return true;
  });
});
afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

// Each command opens a database, some make one first.
vi.setConfig({ testTimeout: 20_000 });

type Ran = Readonly<{ status: number; out: string; err: string }>;

async function gatehouse(...argv: string[]): Promise<Ran> {
  Object.assign(written, { out: "", err: "" });
  const status = await main(argv);
  return { status, ...written };
}

/** The one JSON object that the command prints. */
async function json(...argv: string[]): Promise<Record<string, unknown>> {
  const { status, out, err } = await gatehouse(...argv, "--json");
  expect({ status, err }).toEqual({ status: 0, err: "" });
  expect(out.endsWith("\n") && out.trim().split("\n").length === 1, "one line").toBe(true);
  return JSON.parse(out);
}

const NEW_USER = ["--username", "ann", "--email", "ann@example.com", "--password", PASSWORD];
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
    expect(await json("migrate")).toEqual({ applied: [expect.stringMatching(/^\d{14}_/)] });
    expect(await json("migrate")).toEqual({ applied: [] });
    expect(await json("doctor")).toEqual({
      findings: ["node", "data folder", "database", "migrations"].map((check) => ({
        check,
        ok: true,
        detail: expect.any(String),
      })),
    });
    expect((await gatehouse("doctor")).out).toMatch(/^ok +node: /);
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
    await main(["migrate"]);
    await main(["application", "list"]);
  });
  beforeEach(() => useInstance(database));

  it("user create makes a person", async () => {
    expect(await json("user", "create", ...NEW_USER, "--name", "Ann B")).toEqual({
      id: expect.any(Number),
      username: "ann",
      email: "ann@example.com",
      name: "Ann B",
      admin: false,
    });
    const admin = ["--username", "boss", "--email", "boss@example.com", "--password", PASSWORD, "--admin"];
    const { status, out, err } = await gatehouse("user", "create", ...admin);
    expect({ status, err }).toEqual({ status: 0, err: "" });
    expect(out).toMatch(/^[^\n]*boss[^\n]*\n$/);
    expect(out).not.toContain(PASSWORD);
  });

  it("application create makes a client whose id and secret work at once", async () => {
    const made = await json("application", "create", ...NEW_APPLICATION, "--scopes", "read_user api");
    expect(made).toEqual({
      client_id: expect.any(String),
      client_secret: expect.stringMatching(/^ghcs_/),
      name: "Client",
      redirect_uris: ["https://client.example.com/callback"],
      scopes: ["read_user", "api"],
      confidential: true,
      trusted: false,
      owner: "root",
    });
    const listed = await json("application", "list");
    expect(JSON.stringify(listed)).toContain(String(made["client_id"]));
    expect(JSON.stringify(listed)).not.toContain(String(made["client_secret"]));
  });

  it("application create makes a public one without secret, and a trusted one", async () => {
    const options = [
      "--scopes",
      "read_user",
      "--public",
      "--trusted",
      "--redirect-uri",
      "com.example.app:/cb",
    ];
    const made = await json("application", "create", ...NEW_APPLICATION, ...options);
    expect(made).not.toHaveProperty("client_secret");
    expect(made).toMatchObject({
      confidential: false,
      trusted: true,
      redirect_uris: ["https://client.example.com/callback", "com.example.app:/cb"],
    });
  });

  it("application create prints the secret for a person, once, and says so", async () => {
    const { out } = await gatehouse("application", "create", ...NEW_APPLICATION, "--scopes", "api");
    expect(out).toMatch(/^client_id +\S+\nclient_secret +ghcs_\S+\n/);
    expect((await gatehouse("application", "list")).out).not.toContain("ghcs_");
  });

  it("user reset-password sets a password and ends the person's sessions beside a running server", async () => {
    const { deps, cookie } = await serverWithAnn();
    expect(await sessionOf(deps, cookie)).not.toBeNull();
    expect(await json("user", "reset-password", "--username", "ann")).toEqual({
      username: "ann",
      password: expect.stringMatching(/^.{20,}$/),
    });
    expect(await sessionOf(deps, cookie)).toBeNull();
    const given = ["--username", "ann@example.com", "--password", PASSWORD];
    expect(await json("user", "reset-password", ...given)).toEqual({ username: "ann" });
  });

  it("work beside a running server, which knows at once what they made", async () => {
    const made = await json("application", "create", ...NEW_APPLICATION, "--scopes", "read_user");
    const { deps, cookie } = await serverWithAnn();
    const ann = await deps.db.user.findUniqueOrThrow({ where: { usernameLower: "ann" } });
    const application = await findByUid(deps, String(made["client_id"]));
    if (application === null) throw new Error("The server does not know the application.");
    const client = { application, id: application.uid, secret: String(made["client_secret"]) };
    const person = { user: { ...ann, state: "active" as const }, cookie };
    const code = await codeFor(deps, person, askFor(client));
    expect((await requestToken(exchangeOf(client, code))).status).toBe(200);
  });

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

  /** The same instance as a server has it open, with ann signed in. */
  async function serverWithAnn() {
    const { db, hot, transaction, close } = await openDatabase(database);
    const deps = await openTestDeps({ db, hot, transaction });
    afterThisTest.push(close);
    return { deps, cookie: await signedInCookie("ann") };
  }

  const afterThisTest: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of afterThisTest.splice(0)) await close();
  });
});
