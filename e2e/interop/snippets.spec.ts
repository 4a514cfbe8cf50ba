import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { transformSync } from "esbuild";
import { freePort, untilItAnswers } from "../../scripts/program.mjs";
import { notRunnableWithout } from "../../scripts/test-skips.mjs";
import { TEMPLATES } from "../../src/oauth/applications/template.ts";
import { conformance } from "../../src/testing/conformance.ts";
import { collectingProject } from "../errors/collecting.ts";
import { expect, test } from "../fixtures.ts";
import type { Instance } from "../instance.ts";
import { type ClientSite, openClientSite } from "../oauth/client-site.ts";
import { open, type Registered, register, signIn } from "../oauth/fixtures.ts";
import { callbackOf, offerDeviceGrant, statusOf } from "./fixtures.ts";

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = dirname(dirname(HERE));

type World = Readonly<{
  folder: string;
  site: ClientSite;
  /** The port of the web sites with pasted snippets. */
  port: number;
  confidential: Required<Registered>;
  /** A confidential application that requires PKCE. */
  withPkce: Required<Registered>;
  publicClient: Registered;
  /**
   * Four applications: one signs users in by the GitLab API, one by OpenID Connect alone, one by Passport, and
   * one by OmniAuth.
   */
  gitlab: Required<Registered>;
  openid: Required<Registered>;
  passport: Required<Registered>;
  omniauth: Required<Registered>;
}>;

let world: World;
const undo: (() => unknown)[] = [];

test.beforeAll(async ({ instance }) => {
  const folder = await mkdtemp(join(ROOT, "test-results", "snippets-")).catch(async () => {
    await mkdir(join(ROOT, "test-results"), { recursive: true });
    return mkdtemp(join(ROOT, "test-results", "snippets-"));
  });
  undo.push(() => rm(folder, { recursive: true, force: true }));
  // The package @auth/core is installed under another name, because next-auth 4 names an older version of
  // @auth/core as an optional peer.
  await mkdir(join(folder, "node_modules/@auth"), { recursive: true });
  await symlink(join(ROOT, "node_modules/authjs-core"), join(folder, "node_modules/@auth/core"));
  for (const name of ["snippet-program.mjs", "snippet-site.mjs", "next-auth-mount.mjs"])
    await cp(join(HERE, name), join(folder, name));
  const site = await openClientSite();
  undo.push(site.close);
  const port = await freePort();
  const at = (path: string) => `http://127.0.0.1:${port}${path}`;
  undo.push(await offerDeviceGrant(instance));
  const added = async (name: string, scopes: string, redirectUri: string, ...more: readonly string[]) =>
    register(
      instance,
      "--owner=root",
      `--name=${name}`,
      `--scopes=${scopes}`,
      `--redirect-uri=${redirectUri}`,
      ...more,
    );
  const secret = async (application: Promise<Registered>): Promise<Required<Registered>> => {
    const { client_id, client_secret } = await application;
    if (client_secret === undefined) throw new Error("The application has no secret.");
    return { client_id, client_secret };
  };
  const all = "openid profile email read_user api";
  const [confidential, withPkce, publicClient, gitlab, openid, passport, omniauth] = await Promise.all([
    secret(added("Pasted portal", all, site.redirectUri)),
    secret(added("Pasted vault", all, site.redirectUri, "--require-pkce")),
    added("Pasted terminal", all, site.redirectUri, "--public"),
    secret(added("Pasted board", all, at("/api/auth/callback/gitlab"))),
    secret(added("Pasted wiki", "openid profile email", at("/api/auth/callback/gatehouse"))),
    secret(added("Pasted shop", "read_user openid", at("/callback"))),
    secret(added("Pasted rack", "read_user", at("/auth/gitlab/callback"))),
  ]);
  world = { folder, site, port, confidential, withPkce, publicClient, gitlab, openid, passport, omniauth };
});

test.afterAll(async () => {
  for (const end of undo.splice(0).reverse()) await end();
});

/** Returns the text of a snippet on the page of an application, in the form that the copy button copies. */
async function ofApplication(page: Page, instance: Instance, name: string, id: string): Promise<string> {
  await open(page, instance, `${instance.baseUrl}/user_settings/applications`);
  await page.getByRole("link", { name, exact: true }).click();
  return (await page.locator(`#snippet-${id} pre code`).textContent()) ?? "";
}

/** Returns the text of a snippet on the page `/help/connect`. */
async function ofGuide(page: Page, instance: Instance, clientId: string, label: RegExp): Promise<string> {
  await page.goto(`${instance.baseUrl}/help/connect?client_id=${clientId}`);
  const figure = page.locator("figure", { has: page.locator("figcaption", { hasText: label }) });
  return (await figure.locator("pre code").textContent()) ?? "";
}

type Running = Readonly<{
  /** Waits for a line of standard output with this prefix. @returns the text after the prefix. */
  line: (beginning: string) => Promise<string>;
  write: (line: string) => void;
  isRunning: () => boolean;
  /** The text that the program wrote to standard error. */
  output: () => string;
  stop: () => Promise<void>;
}>;

/** Starts a program in the folder of the snippets. Error messages contain the output of the program. */
function run(command: string, args: readonly string[], env: Readonly<Record<string, string>>): Running {
  const child: ChildProcess = spawn(command, args, {
    cwd: world.folder,
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let errors = "";
  child.stderr?.setEncoding("utf8").on("data", (text) => {
    errors += text;
  });
  const lines = createInterface({ input: child.stdout ?? process.stdin })[Symbol.asyncIterator]();
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const stop = async () => {
    if (!isRunning()) return;
    child.kill();
    await once(child, "close");
  };
  undo.push(stop);
  return {
    line: async (beginning) => {
      const others: string[] = [];
      for (;;) {
        const next = await lines.next();
        if (next.done) throw new Error(`No line with ${beginning}: ${[...others, errors].join("\n")}`);
        if (next.value.startsWith(beginning)) return next.value.slice(beginning.length);
        others.push(next.value);
      }
    },
    isRunning,
    output: () => errors,
    write: (line) => void child.stdin?.write(`${line}\n`),
    stop,
  };
}

/**
 * Runs shell commands. When a command prints a line that begins with `asks`, the function `answer` receives
 * the line and returns the input for the command.
 */
async function runShell(
  code: string,
  env: Readonly<Record<string, string>>,
  asks: string,
  answer: (line: string) => Promise<string>,
): Promise<Readonly<Record<string, unknown>>> {
  const shell = run("sh", ["-c", `set -e\n${code}`], env);
  shell.write(await answer(await shell.line(asks)));
  const result = await shell.line("{");
  await shell.stop();
  return JSON.parse(`{${result}`);
}

const SECRET = (application: Required<Registered>) => ({ CLIENT_SECRET: application.client_secret });

/** Returns the variable with the secret of an application. The program of a public application ignores it. */
const secretOf = (name: string) => SECRET(name === "Pasted vault" ? world.withPkce : world.confidential);

const codeIn = (callback: URL): string => callback.searchParams.get("code") ?? "";

for (const [kind, name] of [
  ["confidential", "Pasted portal"],
  ["confidential with PKCE", "Pasted vault"],
  ["publicClient", "Pasted terminal"],
] as const) {
  test(
    conformance("SC-30", `the unchanged curl snippet of an application gets a token: ${kind}`),
    async ({ page, instance }) => {
      const pasted = await ofApplication(page, instance, name, "curl");
      const token = await runCurl(page, instance, pasted, secretOf(name));
      expect(token).toMatchObject({ token_type: "bearer", access_token: expect.any(String) });
      expect(await statusOf(instance, String(token["access_token"]))).toBe(200);
    },
  );

  test(
    conformance("SC-30", `the unchanged openid-client snippet of an application gets tokens: ${kind}`),
    async ({ page, instance }) => {
      const pasted = await ofApplication(page, instance, name, "openid-client");
      const token = await runOpenidClient(page, instance, pasted, secretOf(name));
      expect(token).toMatchObject({ access_token: expect.any(String), id_token: expect.any(String) });
      expect(await statusOf(instance, String(token["access_token"]))).toBe(200);
    },
  );
}

type Env = Readonly<Record<string, string>>;
type Token = Readonly<Record<string, unknown>>;

/** Runs the pasted curl snippet of an application. */
function runCurl(page: Page, instance: Instance, pasted: string, env: Env): Promise<Token> {
  const comment = /^# {4}(http.*)$/m.exec(pasted)?.[1];
  const script = pasted.replace(/^# 2\..*$/m, `${comment ? `echo '${comment}'\n` : ""}$&\nread -r CODE`);
  return runShell(`${script} -s`, env, "http", async (rest) =>
    codeIn(await callbackOf(page, instance, world.site, `http${rest}`)),
  );
}

const runOpenidClient = (page: Page, instance: Instance, pasted: string, env: Env): Promise<Token> =>
  runScript(page, instance, pasted, "new URL(await browse(url.href))", "currentUrl", env);

const runSimpleOauth2 = (page: Page, instance: Instance, pasted: string, env: Env): Promise<Token> =>
  runScript(page, instance, pasted, 'new URL(await browse(url)).searchParams.get("code")', "code", env);

/**
 * Runs a pasted JavaScript snippet. After the comment of the snippet that begins with "Redirect the browser",
 * the function inserts code that sets `name` to `value`.
 */
async function runScript(
  page: Page,
  instance: Instance,
  pasted: string,
  value: string,
  name: string,
  env: Env,
): Promise<Token> {
  const file = join(world.folder, `${name}.mjs`);
  const result = /^const (\{ token \}|tokens) =/m.exec(pasted)?.[1] === "tokens" ? "tokens" : "token";
  const code = pasted.replace(/^\/\/ Redirect the browser.*$/m, `$&\nconst ${name} = ${value};`);
  expect(code).not.toBe(pasted);
  await writeFile(
    file,
    `import { browse, finish } from "./snippet-program.mjs";\n${code}\nfinish(${result});\n`,
  );
  const program = run(process.execPath, [file], env);
  program.write((await callbackOf(page, instance, world.site, await program.line("OPEN "))).href);
  const token = JSON.parse(await program.line("DONE "));
  await program.stop();
  return token as Token;
}

for (const name of ["Pasted portal", "Pasted vault"])
  test(
    conformance("SC-30", `the unchanged simple-oauth2 snippet of an application gets a token: ${name}`),
    async ({ page, instance }) => {
      const pasted = await ofApplication(page, instance, name, "simple-oauth2");
      const token = await runSimpleOauth2(page, instance, pasted, secretOf(name));
      expect(await statusOf(instance, String(token["access_token"]))).toBe(200);
    },
  );

const PYTHON_MODULES = { python: "requests_oauthlib", authlib: "authlib" } as const;

/** Returns the Python interpreter that can run a Python snippet; undefined if no interpreter has the module. */
const pythonFor = (id: keyof typeof PYTHON_MODULES): string | undefined =>
  ["/usr/bin/python3", "python3"].find(
    (program) => spawnSync(program, ["-c", `import ${PYTHON_MODULES[id]}`]).status === 0,
  );

/** Runs a pasted Python snippet. */
async function runPython(
  python: string,
  { page, instance, pasted, env }: Readonly<{ page: Page; instance: Instance; pasted: string; env: Env }>,
): Promise<Token> {
  const code = pasted.replace(
    /^# Redirect the browser.*$/m,
    '$&\nprint("OPEN", url, flush=True)\ncurrent_url = input()',
  );
  const file = join(world.folder, "pasted.py");
  // The library refuses http redirect URIs unless an option is set, and the snippet sets this option.
  await writeFile(file, `${code}\nimport json\nprint("DONE", json.dumps(token), flush=True)\n`);
  const program = run(python, [file], env);
  program.write((await callbackOf(page, instance, world.site, await program.line("OPEN "))).href);
  return JSON.parse(await program.line("DONE "));
}

for (const [id, name] of [
  ["python", "Pasted portal"],
  ["python", "Pasted vault"],
  ["authlib", "Pasted portal"],
  ["authlib", "Pasted terminal"],
] as const)
  test(
    conformance("SC-30", `the unchanged Python snippet of an application gets a token: ${id}, ${name}`),
    async ({ page, instance }) => {
      const python = pythonFor(id);
      const capability = id === "python" ? "python-requests-oauthlib" : "python-authlib";
      test.skip(python === undefined, notRunnableWithout(capability));
      const pasted = await ofApplication(page, instance, name, id);
      const token = await runPython(python ?? "", { page, instance, pasted, env: secretOf(name) });
      expect(await statusOf(instance, String(token["access_token"]))).toBe(200);
    },
  );

/** Starts a site with a pasted configuration. @returns the URL of the site. */
async function startSite(kind: string, pasted: string, application: Required<Registered>): Promise<string> {
  // next-auth 4 is CommonJS, and the imports in its documentation work only with a bundler.
  const isBundled = kind === "next-auth";
  const file = join(world.folder, `${kind}.${isBundled ? "cjs" : "mjs"}`);
  await writeFile(file, isBundled ? transformSync(pasted, { format: "cjs", platform: "node" }).code : pasted);
  const program = run(
    process.execPath,
    [join(world.folder, "snippet-site.mjs"), kind, file, String(world.port)],
    SECRET(application),
  );
  stopSite = program.stop;
  const url = `http://127.0.0.1:${world.port}`;
  await untilItAnswers(url, program);
  return url;
}

let stopSite: () => Promise<void> = async () => undefined;
test.afterEach(() => stopSite());

/** Signs in at a site of next-auth or Auth.js. @returns the session of the site. */
async function sessionAt(page: Page, instance: Instance, url: string, button: string) {
  await page.goto(`${url}/api/auth/signin`);
  await page.getByRole("button", { name: button }).click();
  await expect(
    page
      .getByRole("button", { name: "Allow" })
      .or(page.getByLabel("Password"))
      .or(page.getByText("The site")),
  ).toBeVisible();
  if (await page.getByLabel("Password").isVisible()) await signIn(page, instance);
  await expect(page.getByRole("button", { name: "Allow" }).or(page.getByText("The site"))).toBeVisible();
  if (await page.getByRole("button", { name: "Allow" }).isVisible())
    await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL(`${url}/**`);
  const { user } = JSON.parse(await (await page.request.get(`${url}/api/auth/session`)).text()) ?? {};
  return user;
}

const ADMINISTRATOR = { name: "Administrator", email: expect.stringContaining("@") };

for (const kind of ["next-auth", "auth-js"])
  test(conformance("SC-30", `the unchanged ${kind} snippet signs a user in`), async ({ page, instance }) => {
    const sources: readonly (readonly [() => Promise<string>, Required<Registered>, string])[] = [
      [() => ofApplication(page, instance, "Pasted board", kind), world.gitlab, "Sign in with GitLab"],
      [() => ofApplication(page, instance, "Pasted wiki", kind), world.openid, "Sign in with Gatehouse"],
      [
        () =>
          ofGuide(page, instance, world.gitlab.client_id, kind === "auth-js" ? /^Auth\.js/ : /^next-auth/),
        world.gitlab,
        "Sign in with GitLab",
      ],
    ];
    for (const [paste, application, button] of sources) {
      const url = await startSite(kind, await paste(), application);
      expect(await sessionAt(page, instance, url, button)).toMatchObject(ADMINISTRATOR);
      await page.context().clearCookies();
      await stopSite();
    }
  });

test(
  conformance(
    "SC-20",
    "Auth.js signs a user in with its GitLab provider, configured as documented with the scope read_user and no issuer",
  ),
  async ({ page, instance }) => {
    const url = await startSite(
      "auth-js",
      `import GitLab from "@auth/core/providers/gitlab";
export const providers = [
  GitLab({
    clientId: ${JSON.stringify(world.gitlab.client_id)},
    clientSecret: process.env.CLIENT_SECRET,
    authorization: "${instance.baseUrl}/oauth/authorize?scope=read_user",
    token: "${instance.baseUrl}/oauth/token",
    userinfo: "${instance.baseUrl}/api/v4/user",
  }),
];`,
      world.gitlab,
    );
    expect(await sessionAt(page, instance, url, "Sign in with GitLab")).toMatchObject(ADMINISTRATOR);
  },
);

for (const kind of ["passport", "passport-gitlab2"])
  test(
    conformance("SC-30", `the unchanged Passport snippet of an application signs a user in: ${kind}`),
    async ({ page, instance }) => {
      const pasted = await ofApplication(page, instance, "Pasted shop", kind);
      const url = await startSite(kind, pasted, world.passport);
      expect(await statusOf(instance, await signInWithPassport(page, url))).toBe(200);
    },
  );

/** Signs in at a site of Passport. @returns the access token of the site. */
async function signInWithPassport(page: Page, url: string): Promise<string> {
  await page.goto(`${url}/sign_in`);
  await page.getByRole("button", { name: "Allow" }).or(page.getByText("refreshToken")).waitFor();
  if (await page.getByRole("button", { name: "Allow" }).isVisible())
    await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL(`${url}/callback**`);
  const { accessToken, refreshToken } = JSON.parse((await page.locator("body").textContent()) ?? "");
  expect(refreshToken).toEqual(expect.any(String));
  return accessToken;
}

/** The site of a pasted OmniAuth configuration: a session, the configuration, and a page with the user. */
const rackSite = (pasted: string): string => `require "json"
require "rack"
use Rack::Session::Cookie, secret: "a secret of this site for the length of a test, and of 64 bytes".ljust(64, ".")
${pasted}
run(lambda do |env|
  token = Rack::Protection::AuthenticityToken.token(env["rack.session"])
  form = %(<form method="post" action="/auth/gitlab"><input type="hidden" name="authenticity_token" value="#{token}"><button>Sign in</button></form>)
  user = env["omniauth.auth"]
  [200, { "content-type" => "text/html" }, [user ? JSON.generate(user["info"]) : form]]
end)
`;

test(
  conformance("SC-30", "the unchanged Ruby snippet of an application signs a user in with OmniAuth"),
  async ({ page, instance }) => {
    const isMissing = spawnSync("ruby", ["-e", 'require "omniauth-gitlab"; require "rack"']).status !== 0;
    test.skip(isMissing, notRunnableWithout("ruby-omniauth-gitlab"));
    const file = join(world.folder, "config.ru");
    await writeFile(file, rackSite(await ofApplication(page, instance, "Pasted rack", "ruby")));
    const program = run(
      "ruby",
      [
        "-e",
        'require "rack"; Rack::Server.start(config: ARGV[0], Port: ARGV[1], Host: "127.0.0.1", environment: "none", server: "webrick")',
        file,
        String(world.port),
      ],
      SECRET(world.omniauth),
    );
    stopSite = program.stop;
    const url = `http://127.0.0.1:${world.port}`;
    await untilItAnswers(url, program);
    await page.goto(url);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Allow" }).click();
    await page.waitForURL(`${url}/**`);
    expect(JSON.parse((await page.locator("body").textContent()) ?? "")).toMatchObject(ADMINISTRATOR);
  },
);

/** The variables with which Go finds the library in `GOPATH` or in the folder of Debian's packages. */
const GO_ENV = { GO111MODULE: "off", GOPATH: process.env["GOPATH"] ?? "/usr/share/gocode" };

/** Runs a Go program. @returns whether the program compiled and succeeded. */
async function canRunGo(): Promise<boolean> {
  const file = join(world.folder, "verifier.go");
  const code = `import "golang.org/x/oauth2"\nfunc main() { oauth2.GenerateVerifier() }\n`;
  await writeFile(file, `package main\n${code}`);
  return spawnSync("go", ["run", file], { env: { ...process.env, ...GO_ENV } }).status === 0;
}

// The title has no rule, because most machines cannot run the test, and the other tests check the rule SC-30.
test("the unchanged Go snippet of an application gets a token", async ({ page, instance }) => {
  test.skip(!(await canRunGo()), notRunnableWithout("go-oauth2"));
  for (const name of ["Pasted portal", "Pasted terminal"]) {
    const file = join(world.folder, "pasted.go");
    await writeFile(file, await ofApplication(page, instance, name, "go"));
    const program = run("go", ["run", file], { ...GO_ENV, ...secretOf(name) });
    program.write(codeIn(await callbackOf(page, instance, world.site, await program.line("Open "))));
    expect(await program.line("bearer ")).toMatch(/^\d{4}-/);
    await program.stop();
  }
});

/** Opens the `verification_uri` of a device authorization response, and allows the device. */
async function allowDevice(page: Page, instance: Instance, output: string): Promise<string> {
  const device = JSON.parse(`{${output}`);
  await open(page, instance, device.verification_uri);
  await page.getByLabel("Code on your device").fill(device.user_code);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(page.getByRole("button", { name: "Allow" })).toBeHidden();
  return device.device_code;
}

/** Runs a pasted snippet of the device flow. */
function runDevice(page: Page, instance: Instance, pasted: string, env: Env): Promise<Token> {
  const script = pasted
    .replace(/^# 2\..*$/m, "echo\n$&\nread -r DEVICE_CODE")
    .replaceAll(/^curl/gm, "curl -s");
  return runShell(script, env, "{", (output) => allowDevice(page, instance, output));
}

test(
  conformance(
    "SC-30",
    "the curl snippets for the device flow, on the application page and in the guide, get a token without changes",
  ),
  async ({ page, instance }) => {
    for (const code of [
      await ofApplication(page, instance, "Pasted portal", "device"),
      await ofApplication(page, instance, "Pasted terminal", "device"),
      await ofGuide(page, instance, world.publicClient.client_id, /^Device authorization with curl/),
    ]) {
      const token = await runDevice(page, instance, code, SECRET(world.confidential));
      expect(await statusOf(instance, String(token["access_token"]))).toBe(200);
    }
  },
);

test(
  conformance("SC-30", "the API snippet and the openid-client snippet in the guide run without changes"),
  async ({ page, instance }) => {
    const { stdout } = await instance.cli(
      "token",
      "create",
      "--user=root",
      "--scopes=read_user",
      "--name=pasted",
    );
    const call = await ofGuide(page, instance, world.gitlab.client_id, /^Call the API with/);
    const called = spawnSync("sh", ["-c", call], {
      env: { ...process.env, TOKEN: stdout.trim() },
      encoding: "utf8",
    });
    expect(JSON.parse(called.stdout)).toMatchObject({ username: "root" });
    const pasted = await ofGuide(page, instance, world.gitlab.client_id, /^openid-client/);
    const file = join(world.folder, "guide.mjs");
    await writeFile(
      file,
      `import { finish } from "./snippet-program.mjs";\n${pasted}\nfinish(config.serverMetadata().issuer);\n`,
    );
    expect(JSON.parse(await run(process.execPath, [file], SECRET(world.gitlab)).line("DONE "))).toBe(
      instance.baseUrl,
    );
  },
);

test(
  conformance("SC-30", "the snippet that configures Git runs without changes"),
  async ({ page, instance }) => {
    const { client_id } = world.publicClient;
    const repository = await register(
      instance,
      "--owner=root",
      "--name=Pasted repository",
      "--scopes=read_repository write_repository",
      "--redirect-uri=http://127.0.0.1",
    );
    for (const [code, clientId] of [
      [await ofGuide(page, instance, client_id, /^git-credential-oauth, version 0\.10/), client_id],
      [await ofGuide(page, instance, client_id, /^Git Credential Manager/), client_id],
      [await ofApplication(page, instance, "Pasted repository", "git"), repository.client_id],
    ] as const) {
      const env = {
        ...process.env,
        HOME: world.folder,
        XDG_CONFIG_HOME: world.folder,
        CLIENT_SECRET: "a secret",
      };
      // The first command of the snippet removes a Git setting. The command may fail, because the Git setting
      // may not exist.
      const { stderr, status } = spawnSync("sh", ["-c", code], { env, encoding: "utf8" });
      expect([status, stderr]).toEqual([0, ""]);
      const listed = spawnSync("git", ["config", "--global", "--list"], { env, encoding: "utf8" }).stdout;
      expect(listed).toContain(clientId);
      expect(listed.includes("oauthclientsecret=a secret")).toBe(clientId === repository.client_id);
    }
  },
);

test(
  conformance("SC-30", "the snippet that reports an error runs without changes"),
  async ({ page, instance }) => {
    const shop = await collectingProject(instance, "acme/pasted");
    await open(page, instance, `${instance.baseUrl}/projects/${shop.id}/errors`);
    const of = async (label: string) =>
      (await page.locator("figure", { hasText: label }).locator("pre code").textContent()) ?? "";
    const [node, terminal] = [
      await of("npm install @sentry/node"),
      await of("Report a test error from a terminal"),
    ];
    expect(spawnSync("sh", ["-c", terminal]).status).toBe(0);
    const file = join(world.folder, "sentry.mjs");
    await writeFile(
      file,
      `${node}\nSentry.captureMessage("From the pasted lines");\nawait Sentry.flush(5000);\n`,
    );
    expect(spawnSync(process.execPath, [file]).status).toBe(0);
    expect((await shop.errors()).map(({ message }) => message).toSorted()).toEqual(
      ["A first error", "From the pasted lines"].toSorted(),
    );
  },
);

/** The snippets in languages whose programs the tests do not run. */
const NOT_RUN = ["go", "php"];

/** The snippets that are the configuration of a web site. */
const OF_SITES = ["next-auth", "auth-js", "passport", "passport-gitlab2"];

for (const { name: template, draft } of TEMPLATES)
  test(
    conformance(
      "SC-30",
      `the unchanged JavaScript, Python and curl snippets of an application from the template "${template}" work`,
    ),
    async ({ page, instance }) => {
      const scope = draft.scopes.join(" ");
      const registered = (name: string, ...redirectUris: readonly string[]) =>
        register(
          instance,
          "--owner=root",
          `--name=${name}`,
          `--scopes=${scope}`,
          ...redirectUris.map((uri) => `--redirect-uri=${uri}`),
          ...(draft.confidential ? [] : ["--public"]),
          ...(draft.requiresPkce ? ["--require-pkce"] : []),
        );
      const snippetsOf = async (name: string) => {
        await ofApplication(page, instance, name, "curl");
        const all = await page.locator("details[id^=snippet-]").evaluateAll((elements) =>
          elements.map((details) => ({
            id: details.id.replace("snippet-", ""),
            code: details.querySelector("pre code")?.textContent ?? "",
          })),
        );
        return all.filter(({ id }) => !NOT_RUN.includes(id));
      };
      const program = `Pasted from ${template}`;
      const client = await registered(program, world.site.redirectUri);
      const env = { CLIENT_SECRET: client.client_secret ?? "" };
      const python = (id: keyof typeof PYTHON_MODULES) => (pasted: string) => {
        const interpreter = pythonFor(id);
        // The tests of the Python snippets report that the module is missing.
        return interpreter === undefined ? null : runPython(interpreter, { page, instance, pasted, env });
      };
      const programs: Readonly<Record<string, (pasted: string) => Promise<Token> | null>> = {
        curl: (pasted) => runCurl(page, instance, pasted, env),
        "openid-client": (pasted) => runOpenidClient(page, instance, pasted, env),
        "simple-oauth2": (pasted) => runSimpleOauth2(page, instance, pasted, env),
        python: python("python"),
        authlib: python("authlib"),
        device: (pasted) => runDevice(page, instance, pasted, env),
      };
      const snippets = await snippetsOf(program);
      expect(snippets.map(({ id }) => id)).toEqual(
        expect.arrayContaining(["curl", "openid-client", "authlib", "device"]),
      );
      for (const { id, code } of snippets.filter((snippet) => !OF_SITES.includes(snippet.id))) {
        const token = await programs[id]?.(code);
        if (token === null) continue;
        expect(token, id).toMatchObject({
          token_type: expect.stringMatching(/^bearer$/i),
          access_token: expect.any(String),
        });
        expect([token?.["scope"]].flat().join(" "), id).toBe(scope);
      }
      if (!snippets.some(({ id }) => OF_SITES.includes(id))) return;

      const site = `Pasted site from ${template}`;
      const paths = ["/callback", "/api/auth/callback/gatehouse", "/api/auth/callback/gitlab"];
      const { client_id, client_secret = "" } = await registered(
        site,
        ...paths.map((path) => `http://127.0.0.1:${world.port}${path}`),
      );
      for (const { id, code } of (await snippetsOf(site)).filter((snippet) =>
        OF_SITES.includes(snippet.id),
      )) {
        const url = await startSite(id, code, { client_id, client_secret });
        if (id.startsWith("passport")) await signInWithPassport(page, url);
        else expect(await sessionAt(page, instance, url, "Sign in with")).toMatchObject(ADMINISTRATOR);
        await stopSite();
      }
    },
  );
