import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { sessionOf } from "@/identity/sessions/service.ts";
import type { DatabaseConfig } from "@/kernel/config/config.ts";
import { openDatabase } from "@/kernel/db/open.ts";
import { depsOf } from "@/kernel/deps/deps.ts";
import { findByUid } from "@/oauth/applications/service.ts";
import {
  authorizationQuery,
  codeFor,
  exchangeOf,
  PASSWORD,
  requestToken,
  signedInCookie,
} from "@/testing/authorization.ts";
import { commandLine, gatehouse, json, useInstance, useNewInstance } from "@/testing/command-line.ts";
import { conformance } from "@/testing/conformance.ts";
import { emptyDatabase } from "@/testing/database.ts";
import { openTestDeps } from "@/testing/deps.ts";

commandLine();

const NEW_USER = ["--username", "ann", "--email", "ann@example.com", "--password", PASSWORD];
const NEW_APPLICATION = [
  "--name",
  "Client",
  "--redirect-uri",
  "https://client.example.com/callback",
  "--owner",
  "root",
];

describe("the commands of the operator", () => {
  let database: DatabaseConfig;
  beforeAll(async () => {
    database = await emptyDatabase();
    useInstance(database);
    await gatehouse("migrate");
    await gatehouse("application", "list");
  });
  beforeEach(() => useInstance(database));

  it("`user create` creates a user", async () => {
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
    const { db, close } = await openDatabase(database);
    const { passwordDigest } = await db.user.findUniqueOrThrow({ where: { usernameLower: "boss" } });
    await close();
    expect(passwordDigest, "what OWASP advises").toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it.each(["password1", "my wendyhouse", "seven77"])(
    conformance("SC-10", "`user create` and `user reset-password` refuse the password %s"),
    async (password) => {
      const user = ["--username", "wendyhouse", "--email", "w@example.com"];
      const result = await gatehouse("user", "create", ...user, "--password", password);
      expect(result).toMatchObject({ status: 2, err: expect.stringContaining("--password must") });
      await gatehouse("user", "create", ...user, "--password", PASSWORD);
      const reset = await gatehouse(
        "user",
        "reset-password",
        "--username",
        "wendyhouse",
        "--password",
        password,
      );
      expect(reset).toMatchObject({ status: 2, err: expect.stringContaining("--password must") });
    },
  );

  it(
    conformance(
      "SC-27",
      "`application create` accepts several redirect URIs after one option `--redirect-uri`",
    ),
    async () => {
      const uris = ["https://a.example/callback", "https://b.example/callback", "https://c.example/callback"];
      const rest = ["--scopes", "api", "--owner", "root", "--name", "Several"];
      for (const given of [
        ["--redirect-uri", ...uris],
        ["--redirect-uri", uris[0], uris[1], "--redirect-uri", uris[2]],
        [`--redirect-uri=${uris[0]}`, uris[1], "--redirect-uri", uris[2]],
      ] as string[][]) {
        const created = await json("application", "create", ...given, ...rest);
        expect(created["redirect_uris"]).toEqual(uris);
      }
      const stray = await gatehouse(
        "application",
        "create",
        ...rest,
        uris[0] ?? "",
        "--redirect-uri",
        uris[1] ?? "",
      );
      expect(stray.status).toBe(2);
    },
  );

  it("`project create` creates a project and its missing parent groups, and `member add` adds a member", async () => {
    const path = "team/tools/shop";
    const projectCommand = ["project", "create", "--path", path, "--owner", "root"];
    expect(await json(...projectCommand, "--visibility", "internal")).toEqual({
      id: expect.any(Number),
      path,
      visibility: "internal",
    });
    const again = await gatehouse(...projectCommand);
    expect(again).toMatchObject({ status: 2, err: "--path has already been taken\n" });
    const second = await gatehouse("project", "create", "--path", "team/tools/second", "--owner", "root");
    expect(second).toMatchObject({ status: 0, out: expect.stringMatching(/^\d+\n$/) });
    await json("user", "create", "--username", "mia", "--email", "mia@example.com", "--password", PASSWORD);
    const add = (role: string) => json("member", "add", "--project", path, "--user", "mia", "--role", role);
    expect(await add("developer")).toEqual({ project: path, user: "mia", role: "developer" });
    expect(await add("maintainer")).toEqual({ project: path, user: "mia", role: "maintainer" });
  });

  it.each(["private", "internal", "public"])(
    conformance(
      "SC-14",
      "`project create` creates missing parent groups with the visibility of the project: %s",
    ),
    async (visibility) => {
      const path = `new-${visibility}/inner/shop`;
      await json("project", "create", "--path", path, "--owner", "root", "--visibility", visibility);
      const { db, close } = await openDatabase(database);
      const groups = await db.group.findMany({ where: { fullPath: { startsWith: `new-${visibility}` } } });
      await close();
      expect(groups.map((group) => [group.fullPath, group.visibility])).toEqual([
        [`new-${visibility}`, visibility],
        [`new-${visibility}/inner`, visibility],
      ]);
    },
  );

  it(
    conformance("SC-14", "`project create` refuses a project that is more visible than its group"),
    async () => {
      const create = (path: string, ...more: string[]) =>
        gatehouse("project", "create", "--path", path, "--owner", "root", ...more);
      expect((await create("closed/first")).status).toBe(0);
      for (const path of ["closed/second", "closed/inner/third"])
        for (const visibility of ["internal", "public"])
          expect(await create(path, "--visibility", visibility)).toMatchObject({
            ...{ status: 2, err: expect.stringContaining("--visibility ") },
          });
      const { db, close } = await openDatabase(database);
      expect(await db.group.count({ where: { fullPath: { startsWith: "closed/" } } })).toBe(0);
      await close();
    },
  );

  it.each<[string[], RegExp]>([
    [["project", "create", "--path", "alone", "--owner", "root"], /GROUP\/NAME/],
    [
      ["project", "create", "--path", "team/x", "--owner", "root", "--visibility", "secret"],
      /private, internal/,
    ],
    [["project", "create", "--path", "team/../x", "--owner", "root"], /can contain only letters/],
    [["project", "create", "--path", "admin/x", "--owner", "root"], /reserved name/],
    [["project", "create", "--path", "team/x", "--owner", "nobody"], /nobody/],
    [["member", "add", "--project", "no/where", "--user", "root", "--role", "guest"], /no project no\/where/],
    [["member", "add", "--project", "no/where", "--user", "root", "--role", "boss"], /guest, reporter/],
  ])("a command refuses the arguments %j with an error message", async (command, sentence) => {
    const { status, out, err } = await gatehouse(...command);
    expect({ status, out }).toEqual({ status: 2, out: "" });
    expect(err).toMatch(sentence);
  });

  it("`application create` registers a client whose id and secret work immediately", async () => {
    const application = await json("application", "create", ...NEW_APPLICATION, "--scopes", "read_user api");
    expect(application).toEqual({
      client_id: expect.any(String),
      client_secret: expect.stringMatching(/^ghcs_/),
      name: "Client",
      redirect_uris: ["https://client.example.com/callback"],
      scopes: ["read_user", "api"],
      confidential: true,
      trusted: false,
      resource_server: false,
      token_endpoint_auth_method: "client_secret",
      require_pushed_authorization_requests: false,
      dpop_bound_access_tokens: false,
      id_token_signed_response_alg: "RS256",
      access_token_format: "opaque",
      client_credentials_scopes: [],
      owner: "root",
      backchannel_logout_uri: null,
    });
    const listed = await json("application", "list");
    expect(JSON.stringify(listed)).toContain(String(application["client_id"]));
    expect(JSON.stringify(listed)).not.toContain(String(application["client_secret"]));
  });

  it("`application create` can register a public client, which has no secret, and a trusted client", async () => {
    const options = [
      "--scopes",
      "read_user",
      "--public",
      "--trusted",
      "--redirect-uri",
      "com.example.app:/cb",
    ];
    const application = await json("application", "create", ...NEW_APPLICATION, ...options);
    expect(application).not.toHaveProperty("client_secret");
    expect(application).toMatchObject({
      confidential: false,
      trusted: true,
      redirect_uris: ["https://client.example.com/callback", "com.example.app:/cb"],
    });
  });

  it("`application create` refuses a scope for the client credentials grant if the application does not have the scope", async () => {
    const grant = ["--scopes", "read_user api", "--client-credentials", "read_user"];
    const application = await json("application", "create", ...NEW_APPLICATION, ...grant);
    expect(application).toMatchObject({ client_credentials_scopes: ["read_user"] });
    const wrong = ["--scopes", "read_user", "--client-credentials", "api"];
    const refused = await gatehouse("application", "create", ...NEW_APPLICATION, ...wrong);
    expect(refused).toMatchObject({ status: 2, err: expect.stringContaining("Select these scopes") });
  });

  it("`application create` sets the authentication method, the token formats and the security requirements of an application", async () => {
    const keys = ["--auth-method", "private_key_jwt", "--jwks-uri", "https://client.example.com/jwks.json"];
    const options = ["--require-par", "--require-dpop", "--jwt-access-tokens", "--signing-alg", "ES256"];
    const given = ["application", "create", ...NEW_APPLICATION, "--scopes", "read_user"];
    const application = await json(...given, ...keys, ...options);
    expect(application).toMatchObject({
      token_endpoint_auth_method: "private_key_jwt",
      require_pushed_authorization_requests: true,
      dpop_bound_access_tokens: true,
      id_token_signed_response_alg: "ES256",
      access_token_format: "jwt",
    });
    expect(application).not.toHaveProperty("client_secret");
    expect(await gatehouse(...given, "--signing-alg", "none")).toMatchObject({
      status: 2,
      err: expect.stringContaining("RS256, ES256, EdDSA"),
    });
  });

  it("`application create` prints the client secret, and `application list` does not print the client secret", async () => {
    const { out } = await gatehouse("application", "create", ...NEW_APPLICATION, "--scopes", "api");
    expect(out).toMatch(/^client_id +\S+\nclient_secret +ghcs_\S+\n/);
    expect((await gatehouse("application", "list")).out).not.toContain("ghcs_");
  });

  it("`user delete` transfers the personal projects of the user to the named namespace, and deletes nothing if the namespace is invalid", async () => {
    await json("user", "create", "--username", "leo", "--email", "leo@example.com", "--password", PASSWORD);
    await json("project", "create", "--path", "leo/shop", "--owner", "leo");
    await json("project", "create", "--path", "heirs/first", "--owner", "root");
    for (const namespace of ["", "nowhere", "leo"])
      expect(await gatehouse("user", "delete", "leo", "--transfer-to", namespace)).toMatchObject({
        status: 2,
      });
    expect(await json("user", "delete", "leo", "--transfer-to", "heirs")).toMatchObject({ username: "leo" });
    const { db, close } = await openDatabase(database);
    const projects = await db.project.findMany({ where: { path: "shop" } });
    const users = await db.user.count({ where: { usernameLower: "leo" } });
    await close();
    expect(projects.map(({ fullPath }) => fullPath)).toContain("heirs/shop");
    expect(users).toBe(0);
  });

  it("`user reset-password` sets a password and ends the sessions of the user on a running server", async () => {
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

  it("`application create` registers a client that a running server accepts immediately", async () => {
    const created = await json("application", "create", ...NEW_APPLICATION, "--scopes", "read_user");
    const { deps, cookie } = await serverWithAnn();
    const ann = await deps.db.user.findUniqueOrThrow({ where: { usernameLower: "ann" } });
    const application = await findByUid(deps, String(created["client_id"]));
    if (application === null) throw new Error("The server does not know the application.");
    const client = { application, id: application.uid, secret: String(created["client_secret"]) };
    const user = {
      user: { ...ann, state: "active" as const, kind: "human" as const, twoFactor: false },
      cookie,
    };
    const code = await codeFor(deps, user, authorizationQuery(client));
    expect((await requestToken(exchangeOf(client, code))).status).toBe(200);
  });

  /** Opens the instance in the same way as a running server, and signs in the user ann. */
  async function serverWithAnn() {
    const opened = await openDatabase(database);
    const deps = await openTestDeps(depsOf(opened));
    afterThisTest.push(opened.close);
    return { deps, cookie: await signedInCookie("ann") };
  }

  const afterThisTest: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of afterThisTest.splice(0)) await close();
  });
});

describe("the password of the administrator", () => {
  it(
    conformance(
      "SC-10",
      "the first start refuses a common password in GATEHOUSE_ROOT_PASSWORD, and the next start accepts a better password",
    ),
    async () => {
      await useNewInstance();
      vi.stubEnv("GATEHOUSE_ROOT_PASSWORD", "password1");
      expect(await gatehouse("application", "list")).toMatchObject({
        status: 1,
        err: expect.stringContaining(
          "GATEHOUSE_ROOT_PASSWORD must not be one of the most common passwords. Choose another password.",
        ),
      });
      vi.stubEnv("GATEHOUSE_ROOT_PASSWORD", PASSWORD);
      expect((await gatehouse("application", "list")).status).toBe(0);
    },
  );
});
