import fs, { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join, relative } from "node:path";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type DatabaseConfig, readConfig } from "@/kernel/config/config.ts";
import { isMigrated } from "@/kernel/db/migrate.ts";
import { openInstance } from "@/server/first-start.ts";
import { PASSWORD } from "@/testing/authorization.ts";
import { commandLine, gatehouse, json, useInstance, useNewInstance } from "@/testing/command-line.ts";
import { conformance } from "@/testing/conformance.ts";
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

describe("a command without an instance", () => {
  it.each([
    ["application list"],
    ["user create --username=ann --email=ann@example.com --password=unguessable-words"],
    ["token create --user=root --scopes=api --name=laptop"],
    ["setting list"],
    ["prune"],
    ["secret rotate"],
    ["audit verify"],
    ["backup --to=copy"],
  ])("the command `%s` fails and creates no file if the database has no tables", async (command) => {
    const database = await emptyDatabase();
    const folder = useInstance(database);
    const target = join(folder, "copy");
    const argv = command.replace("--to=copy", `--to=${target}`).split(" ");
    const { status, out, err } = await gatehouse(...argv);
    expect({ status, out }).toEqual({ status: 1, out: "" });
    const name = database.provider === "sqlite" ? database.file : new URL(database.url).pathname.slice(1);
    expect(err).toContain(`There is no instance: the database ${name}`);
    expect(err).toContain(`DATA_DIR is ${folder}.`);
    expect(err).toContain(
      'To create a new instance in this database, run "gatehouse serve" or "gatehouse migrate".',
    );
    expect(readdirSync(folder)).toEqual([]);
    expect(await isMigrated(database)).toBe(false);
    if (database.provider === "sqlite") expect(existsSync(database.file)).toBe(false);
  });

  it("`migrate` names the database in which it creates a new instance", async () => {
    const database = await emptyDatabase();
    useInstance(database);
    const name = database.provider === "sqlite" ? database.file : new URL(database.url).pathname.slice(1);
    expect((await gatehouse("migrate")).out).toContain(`Created a new instance in the database ${name}`);
    expect((await gatehouse("migrate")).out).toMatch(/^The database .+ is up to date\.\n$/);
  });
});

describe("the first command after `migrate`", () => {
  it("the first command after `migrate` creates the administrator, and reports the new administrator on standard error", async () => {
    await useNewInstance();
    const first = await gatehouse("application", "list", "--json");
    expect(first).toMatchObject({ status: 0, out: '{"applications":[]}\n' });
    expect(first.err).toMatch(/administrator root/);
    expect(await gatehouse("application", "list")).toEqual({
      status: 0,
      out: "There are no applications yet.\n",
      err: "",
    });
  });

  it("if standard error is not a terminal, the first command after `migrate` writes a generated password into a file that only the owner of the file can read", async () => {
    const folder = await useNewInstance();
    vi.stubEnv("GATEHOUSE_ROOT_PASSWORD", "");
    const { err } = await gatehouse("application", "list");
    const file = join(folder, "initial_root_password");
    expect(err).toContain(file);
    const password = readFileSync(file, "utf8").trim();
    expect(password.length).toBeGreaterThanOrEqual(20);
    expect(err).not.toContain(password);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("the first command after `migrate` creates a secret file that only the owner of the file can read, and the next command refuses a different secret", async () => {
    const folder = await useNewInstance();
    vi.stubEnv("GATEHOUSE_SECRET", "");
    expect((await gatehouse("application", "list")).status).toBe(0);
    expect(statSync(join(folder, "secret")).mode & 0o777).toBe(0o600);
    vi.stubEnv("GATEHOUSE_SECRET", "another secret of more than thirty-two letters");
    const { status, err } = await gatehouse("application", "list");
    expect(status).toBe(1);
    expect(err).toMatch(/another instance secret/);
  });
});

const MISSING = /The secret of this instance is missing: .*Restore the file from a backup/;

describe("the first start and power failures", () => {
  it(
    conformance(
      "SC-36",
      "a power failure during the first start cannot leave a database without its secret, or an administrator whose generated password is lost",
    ),
    async () => {
      const folder = join(useInstance(await emptyDatabase()), "new", "data");
      vi.stubEnv("DATA_DIR", folder);
      vi.stubEnv(
        "DATABASE_URL",
        process.env["DATABASE_URL"]?.startsWith("file:") ? "" : process.env["DATABASE_URL"],
      );
      vi.stubEnv("GATEHOUSE_SECRET", "");
      vi.stubEnv("GATEHOUSE_ROOT_PASSWORD", "");
      const { steps, stop } = recordDiskWrites(folder);
      const { close } = await openInstance(readConfig(process.env)).finally(stop);
      await close();
      expect(steps.filter((step) => step !== "open gatehouse.db")).toEqual([
        "sync ..",
        "sync ../..",
        "open secret.tmp",
        "sync secret.tmp",
        "link secret",
        "sync .",
        "open initial_root_password.tmp",
        "sync initial_root_password.tmp",
        "rename initial_root_password",
        "sync .",
      ]);
      if (existsSync(join(folder, "gatehouse.db")))
        expect(steps.indexOf("open gatehouse.db")).toBe(steps.indexOf("sync .") + 1);
      expect(readdirSync(folder).filter((name) => /secret|password/.test(name))).toEqual([
        "initial_root_password",
        "secret",
      ]);
    },
  );

  it(
    conformance(
      "SC-36",
      "a power failure during the first start can leave a secret file without a database, and the next start uses the secret in this file",
    ),
    async () => {
      const folder = useInstance(await emptyDatabase());
      vi.stubEnv("GATEHOUSE_SECRET", "");
      const secret = "a secret that the first start wrote, and then the power went";
      writeFileSync(join(folder, "secret"), `${secret}\n`);
      expect((await gatehouse("migrate")).status).toBe(0);
      expect((await gatehouse("application", "list")).status).toBe(0);
      expect(readFileSync(join(folder, "secret"), "utf8").trim()).toBe(secret);
    },
  );
});

describe("the secret file", () => {
  it.each([
    ["", "a new database"],
    ["x", "a new database"],
    ["", "an existing database"],
    ["one letter less than thirty-two", "an existing database"],
  ])(
    conformance("SC-37", "a secret file with the content %j is refused when the instance has %s"),
    async (secret, database) => {
      const folder = useInstance(await emptyDatabase());
      vi.stubEnv("GATEHOUSE_SECRET", "");
      if (database === "an existing database") {
        await gatehouse("migrate");
        expect((await gatehouse("application", "list")).status).toBe(0);
      }
      writeFileSync(join(folder, "secret"), `${secret}\n`);
      const refusal =
        /contains only \d+ characters, but the instance secret needs at least 32 characters\. Restore the file/;
      const refused = await gatehouse("application", "list");
      expect(refused).toMatchObject({ status: 1, err: expect.stringMatching(refusal) });
      expect((await gatehouse("doctor")).out).toMatch(refusal);
      expect(readFileSync(join(folder, "secret"), "utf8")).toBe(`${secret}\n`);
    },
  );

  it(
    conformance(
      "SC-37",
      "a missing secret file is not created again if the database was created with the secret from this file",
    ),
    async () => {
      const folder = await useNewInstance();
      vi.stubEnv("GATEHOUSE_SECRET", "");
      expect((await gatehouse("application", "list")).status).toBe(0);
      const secret = readFileSync(join(folder, "secret"), "utf8");
      rmSync(join(folder, "secret"));
      const { status, err } = await gatehouse("application", "list");
      expect(status).toBe(1);
      expect(err).toMatch(MISSING);
      expect(err).toContain(join(folder, "secret"));
      expect(existsSync(join(folder, "secret"))).toBe(false);
      vi.stubEnv("GATEHOUSE_SECRET", secret.trim());
      expect((await gatehouse("application", "list")).status).toBe(0);
    },
  );
});

/** Records operations on files in `folder` until `stop` is called: open, sync, link and rename. */
function recordDiskWrites(folder: string): { steps: readonly string[]; stop: () => void } {
  const { openSync, fsyncSync, linkSync, renameSync } = fs;
  const steps: string[] = [];
  const descriptors = new Map<number, string>();
  const nameOf = (path: fs.PathLike): string =>
    (relative(folder, String(path)) || ".").replace(/\.\d+$/, ".tmp");
  const note = (step: string, path: fs.PathLike): void => {
    const name = nameOf(path);
    if (/^(?:\.|\.\.|\.\.\/\.\.|secret.*|initial.*|gatehouse\.db)$/.test(name)) steps.push(`${step} ${name}`);
  };
  fs.openSync = (path, flags, mode) => {
    const descriptor = openSync(path, flags, mode);
    descriptors.set(descriptor, String(path));
    if (flags !== "r") note("open", path);
    return descriptor;
  };
  fs.fsyncSync = (descriptor) => {
    fsyncSync(descriptor);
    note("sync", descriptors.get(descriptor) ?? "");
  };
  fs.linkSync = (from, to) => {
    linkSync(from, to);
    note("link", to);
  };
  fs.renameSync = (from, to) => {
    renameSync(from, to);
    note("rename", to);
  };
  syncBuiltinESMExports();
  const stop = () => {
    Object.assign(fs, { openSync, fsyncSync, linkSync, renameSync });
    syncBuiltinESMExports();
  };
  return { steps, stop };
}

describe("the commands doctor and migrate", () => {
  it("`doctor` reports pending migrations, and `migrate` applies each migration only once", async () => {
    useInstance(await emptyDatabase());
    expect(JSON.stringify(await json("doctor"))).toMatch(/to apply|first start/);
    expect(await json("migrate")).toEqual({
      applied: expect.arrayContaining([expect.stringMatching(/^\d{14}_init$/)]),
    });
    expect(await json("migrate")).toEqual({ applied: [] });
    expect(await json("doctor")).toEqual({
      findings: [
        "node",
        "data folder",
        "disk space",
        "secret",
        "database",
        "migrations",
        "secret of the database",
        "encrypted values",
        "mail server",
        "file storage",
        "package files",
        "redirect URIs",
      ].map((check) => expect.objectContaining({ check, ok: true, detail: expect.any(String) })),
    });
    expect((await gatehouse("doctor")).out).toMatch(/^ok +node: /);
    expect((await gatehouse("doctor")).out).toMatch(
      /^(?:ok +|WARNING )disk space: [\d.]+ of [\d.]+ GB are free/m,
    );
  });

  it(
    conformance(
      "SC-32",
      "`doctor` lists the applications whose http redirect URIs are refused after BASE_URL was changed to https",
    ),
    async () => {
      await useNewInstance();
      const uris = ["--redirect-uri", "http://wiki.example/cb", "--redirect-uri", "http://127.0.0.1/cb"];
      const plain = await gatehouse(
        ...["application", "create", ...NEW_APPLICATION, ...uris],
        "--scopes",
        "api",
      );
      expect(plain).toMatchObject({ status: 0 });
      expect((await gatehouse("doctor")).out).toContain("redirect URIs: http is allowed");
      vi.stubEnv("BASE_URL", "https://id.example.com");
      const { status, out } = await gatehouse("doctor");
      expect(status).toBe(0);
      expect(out).toMatch(/^WARNING redirect URIs: 1 applications? /m);
      expect(out).toMatch(/Client \(1, of root\): http:\/\/wiki\.example\/cb$/m);
      expect(out).not.toContain("127.0.0.1/cb");
    },
  );

  it("`doctor` reports a missing secret, a wrong secret and invalid environment variables, and changes nothing", async () => {
    const folder = useInstance(await emptyDatabase());
    vi.stubEnv("GATEHOUSE_SECRET", "");
    expect((await gatehouse("doctor")).status).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
    expect((await gatehouse("migrate")).status).toBe(0);
    expect((await gatehouse("application", "list")).status).toBe(0);
    expect((await gatehouse("doctor")).out).toContain("ok      secret of the database: matches");
    rmSync(join(folder, "secret"));
    const lost = await gatehouse("doctor");
    expect(lost).toMatchObject({ status: 1, out: expect.stringMatching(MISSING) });
    expect(existsSync(join(folder, "secret"))).toBe(false);
    const another = /^PROBLEM secret of the database: .*another instance secret/m;
    vi.stubEnv("GATEHOUSE_SECRET", "another secret of more than thirty-two letters");
    expect((await gatehouse("doctor")).out).toMatch(another);
    vi.stubEnv("TRUSTED_PROXIES", "10.0.0.0/8, foo");
    expect(await gatehouse("doctor")).toEqual({
      status: 1,
      out: "",
      err: expect.stringMatching(
        /^The environment variables are invalid:\n {2}TRUSTED_PROXIES "foo" is neither /,
      ),
    });
    vi.stubEnv("TRUSTED_PROXIES", "");
    useInstance({ provider: "postgresql", url: "postgresql://gatehouse:word@db.invalid:5433/none" });
    vi.stubEnv("GATEHOUSE_SECRET", "");
    const far = await gatehouse("doctor");
    expect(far).toMatchObject({ status: 1, err: "" });
    expect(far.out).toMatch(/^PROBLEM secret: GATEHOUSE_SECRET is not set/m);
    expect(far.out).toMatch(
      /^PROBLEM database: The database at db\.invalid:5433 does not respond\. Check DATABASE_URL/m,
    );
    expect(far.out).not.toMatch(/prisma|:word/i);
  });

  it("commands exit with status 1 and an error message when the connection to the database fails", async () => {
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

describe("the command line", () => {
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
    ["a noun without a verb", ["user"], /no command "user"/],
    ["an unknown option", ["application", "list", "--foo"], /--foo/],
    ["a name with a folder", ["restore", "--from", "/tmp/none", "--name", "x"], /--name selects a backup/],
    ["the URL of another storage", ["restore", "--from", "gs://bucket/x"], /is not the URL of a bucket/],
    [
      "keys without an authentication method",
      ["application", "create", ...NEW_APPLICATION, "--scopes", "api", "--jwks", "{}"],
      /--jwks-uri require --auth-method private_key_jwt/,
    ],
    [
      "client credentials of a public application",
      [
        "application",
        "create",
        ...NEW_APPLICATION,
        "--scopes",
        "api",
        "--public",
        "--client-credentials",
        "api",
      ],
      /requires a confidential application/,
    ],
    ["an option without its value", ["user", "create", "--username"], /--username/],
    ["a missing option", ["user", "create", "--username", "x"], /--email is missing/],
    ["too many arguments", ["application", "list", "extra"], /extra/],
    ["no scopes", ["application", "create", ...NEW_APPLICATION], /--scopes is missing/],
    [
      "an unknown scope",
      ["application", "create", ...NEW_APPLICATION, "--scopes", "sudo"],
      /Unknown scope: sudo/,
    ],
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
      /no user nobody/,
    ],
    ["no workers", ["serve", "--workers", "0"], /^--workers must be a number from 1 to 128, or auto\.$/m],
    ["an unknown user", ["user", "reset-password", "--username", "nobody"], /no user nobody/],
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
  ])(
    "a command with invalid input prints an error message on standard error and exits with status 2: %s",
    async (_what, argv, sentence) => {
      const { status, out, err } = await gatehouse(...argv);
      expect({ status, out }).toEqual({ status: 2, out: "" });
      expect(err).toMatch(sentence);
      expect(err).not.toMatch(/\n\s+at /);
    },
  );

  it.each([[[]], [["--help"]], [["help"]], [["user", "create", "--help"]]])(
    "the command line prints the help text for the arguments %j",
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
