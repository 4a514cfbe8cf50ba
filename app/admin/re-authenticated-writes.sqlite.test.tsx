import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { POST as postSession } from "@app/users/session/route.ts";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { AUTHENTICATION_MINUTES_MAX } from "@/identity/sessions/rules.ts";
import { sessionCsrfToken, sessionOf } from "@/identity/sessions/service.ts";
import { confirmationOf } from "@/identity/sign-in/confirm-page.tsx";
import { loadApplicationEdit, loadRegistration } from "@/oauth/own-applications/loaders.ts";
import { loadTokenDraft } from "@/oauth/personal-access-tokens/loaders.ts";
import { loadNewUser } from "@/operations/administration/loaders.ts";
import { loadTypedSettings } from "@/operations/settings/loaders.ts";
import {
  encoded,
  formPost,
  PASSWORD,
  registeredClient,
  type SignedInUser,
  signedInCookie,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { addedPasskey, postForm } from "@/testing/second-factor.ts";

/** The simulated request, whose headers the mocked functions of Next.js return. */
const request = vi.hoisted(() => ({ headers: new Headers() }));
vi.mock("next/headers", () => ({
  headers: async () => request.headers,
  cookies: async () => ({ get: () => undefined, set: () => undefined }),
}));
vi.mock("next/cache", () => ({ revalidatePath: () => undefined }));

const deps = await openTestDeps();
const ROOT = resolve(import.meta.dirname, "../..");

type Action = (...input: unknown[]) => Promise<unknown>;

/** Returns the path of the file that an import specifier refers to, or null for an import of a package. */
function fileOf(from: string, target: string): string | null {
  const path = target.startsWith("@/")
    ? join(ROOT, "src", target.slice(2))
    : target.startsWith("@app/")
      ? join(ROOT, "app", target.slice(5))
      : target.startsWith(".")
        ? join(dirname(from), target)
        : null;
  if (path === null) return null;
  return [path, `${path}.ts`, `${path}.tsx`].find((name) => /\.tsx?$/.test(name) && existsSync(name)) ?? null;
}

/** Returns every module that the administration pages import, directly or indirectly. */
function modulesOfAdministration(): ReadonlySet<string> {
  const folder = join(ROOT, "app/admin");
  const pages = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => /\.tsx?$/.test(name) && !name.includes(".test."),
  );
  const visitedFiles = new Set<string>();
  const waiting = pages.map((name) => join(folder, name));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (visitedFiles.has(file)) continue;
    visitedFiles.add(file);
    const text = readFileSync(file, "utf8");
    for (const [, target = ""] of text.matchAll(/^(?:import|export) (?!type )[^;]*?from "([^"]+)"/gms)) {
      const importedFile = fileOf(file, target);
      if (importedFile !== null) waiting.push(importedFile);
    }
  }
  return visitedFiles;
}

/** Returns the server actions that the modules export, with their names as keys. */
async function actionsIn(files: Iterable<string>): Promise<readonly (readonly [string, Action])[]> {
  const modules = [...files].filter((file) => readFileSync(file, "utf8").startsWith('"use server"'));
  const actions = await Promise.all(modules.map(async (file) => Object.entries(await import(file))));
  return actions.flat() as [string, Action][];
}

const modules = modulesOfAdministration();
const ADMINISTRATION = await actionsIn(modules);
const APPLICATIONS = await actionsIn([join(ROOT, "src/oauth/own-applications/actions.ts")]);
const TOKENS = await actionsIn([join(ROOT, "src/oauth/personal-access-tokens/actions.ts")]);

let boss: SignedInUser;
let applicationId: number;
let cookies: Readonly<{ fresh: string; stale: string }>;

beforeAll(async () => {
  boss = await signedInUser(deps, "boss");
  await deps.db.user.update({ where: { id: boss.user.id }, data: { admin: true } });
  const client = await registeredClient(deps, boss.user, { name: "The portal" });
  applicationId = client.application.id;
});

beforeEach(async () => {
  const stale = await signedInCookie("boss");
  deps.advance(AUTHENTICATION_MINUTES_MAX * 60 + 1);
  cookies = { stale, fresh: await signedInCookie("boss") };
  request.headers = new Headers({ cookie: stale });
});

const formOf = (fields: Readonly<Record<string, string | File>>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
};

const posted = (): FormData =>
  formOf({
    id: String(applicationId),
    username: "mallory",
    email: "mallory@example.com",
    name: "oauth2_device_grant_flow",
    key: "oauth_code_expires_in",
    to: "on",
    redirect_uris: "https://evil.example/",
    scopes: "api",
    confidential: "true",
  });

const run = (action: Action, form: FormData): Promise<unknown> =>
  action.length === 1 ? action(form) : action({}, form);

const rows = async () => [
  await deps.db.user.findMany(),
  await deps.db.application.findMany(),
  await deps.db.applicationSecret.count(),
  await deps.db.applicationLogo.count(),
  await deps.db.setting.findMany(),
  await deps.db.featureFlag.findMany(),
  await deps.db.auditEvent.count(),
];

describe(conformance("SC-03", "a session without recent re-authentication"), () => {
  it("the tests of re-authentication include every server action that the administration pages import", () => {
    expect(ADMINISTRATION.map(([name]) => name)).toEqual(
      expect.arrayContaining(["createUser", "trustApplication", "saveGroup", "switchFlag"]),
    );
    expect(APPLICATIONS.map(([name]) => name)).toEqual(
      expect.arrayContaining(["addSecret", "changeApplication", "uploadLogo"]),
    );
  });

  it.each([...ADMINISTRATION, ...APPLICATIONS])(
    "the server action %s changes nothing without recent re-authentication, and redirects to the re-authentication page",
    async (_name, action) => {
      const before = await rows();
      await expect(run(action, posted())).rejects.toMatchObject({
        digest: expect.stringMatching(/NEXT_REDIRECT;[^;]*;\/users\/confirm\?return_to=.*&repeat=1/),
      });
      expect(await rows()).toEqual(before);
    },
  );

  it("a server action also requires re-authentication when a script calls the server action without a form", async () => {
    for (const [name, action] of ADMINISTRATION)
      await expect(action(), name).rejects.toMatchObject({
        digest: expect.stringContaining("/users/confirm"),
      });
  });

  it("no route handler of the administration pages accepts POST, PUT, PATCH or DELETE", () => {
    const routes = [...modules].filter((file) => /\/app\/admin\/.*\/route\.ts$/.test(file));
    expect(routes.length).toBeGreaterThan(0);
    for (const route of routes)
      expect(readFileSync(route, "utf8")).not.toMatch(/\b(?:POST|PUT|PATCH|DELETE)\b/);
  });
});

const action = (name: string): Action => {
  const row = [...ADMINISTRATION, ...APPLICATIONS, ...TOKENS].find(([rowName]) => rowName === name)?.[1];
  if (row === undefined) throw new Error(`There is no action ${name}.`);
  return row;
};

/**
 * Submits the form of a server action, checks that a re-authentication interrupts the server action, and then
 * re-authenticates.
 */
async function interrupted(name: string, form: FormData): Promise<Response> {
  await expect(run(action(name), form)).rejects.toThrow("NEXT_REDIRECT");
  const session = await sessionOf(deps, cookies.stale);
  if (session === null) throw new Error("The session has ended.");
  return postForm(
    {
      intent: "confirm",
      repeat: "1",
      return_to: "/back",
      form_token: sessionCsrfToken(deps, session, "confirm"),
      password: PASSWORD,
    },
    cookies.stale,
  );
}

describe(conformance("SC-03", "a form that was interrupted by re-authentication"), () => {
  it("after re-authentication, the form of a new user contains the entered fields, and then creates the user", async () => {
    const fields = {
      username: "carl",
      name: "Carl C.",
      email: "carl@example.com",
      password: "a long secret",
    };
    const confirmed = await interrupted("createUser", formOf({ ...fields, admin: "true" }));
    expect(confirmed.headers.get("location")).toContain("/back");
    const flash = confirmed.headers.getSetCookie().find((line) => line.startsWith("gatehouse_flash="));
    expect(decodeURIComponent(flash ?? "")).toContain("submit the form again");
    const { password, ...draft } = fields;
    expect(await loadNewUser()).toEqual({ draft: { ...draft, admin: true }, password });
    const stored = await deps.db.heldForm.findMany();
    expect(JSON.stringify(stored)).not.toMatch(/carl|secret/);
    await run(action("createUser"), formOf(fields));
    expect(await deps.db.user.count({ where: { username: "carl" } })).toBe(1);
    expect(await loadNewUser(), "it was sent").toBeNull();
  });

  it("a form that was interrupted by re-authentication is restored only in the same session, and only for 15 minutes", async () => {
    await interrupted("createUser", formOf({ username: "dora" }));
    request.headers = new Headers({ cookie: cookies.fresh });
    expect(await loadNewUser()).toBeNull();
    request.headers = new Headers({ cookie: cookies.stale });
    expect(await loadNewUser()).toMatchObject({ draft: { username: "dora" } });
    deps.advance(15 * 60);
    expect(await loadNewUser()).toBeNull();
  });

  it("after re-authentication, the settings form shows the edited values if the settings page has the same search text as before", async () => {
    await interrupted(
      "saveGroup",
      formOf({
        search: "expires",
        oauth_code_expires_in: "61",
        "was:oauth_code_expires_in": "600",
        id_token_expires_in: "120",
        "was:id_token_expires_in": "120",
      }),
    );
    expect(await loadTypedSettings("expires")).toEqual({ oauth_code_expires_in: "61" });
    expect(await loadTypedSettings("")).toEqual({});
  });

  it("after re-authentication, the form of an edited or new application contains the entered values", async () => {
    const fields = { name: "Typed", redirect_uris: "https://typed.example/cb", scopes: "api" };
    await interrupted("changeApplication", formOf({ ...fields, id: String(applicationId) }));
    const { draft } = await loadApplicationEdit(String(applicationId));
    expect(draft).toMatchObject({ name: "Typed", redirectUris: fields.redirect_uris, scopes: ["api"] });
    request.headers = new Headers({ cookie: await signedInCookie("boss") });
    expect((await loadApplicationEdit(String(applicationId))).draft.name).toBe("The portal");
    request.headers = new Headers({ cookie: cookies.stale });
    deps.advance(AUTHENTICATION_MINUTES_MAX * 60 + 1);
    await interrupted("registerApplication", formOf(fields));
    expect((await loadRegistration({}))?.template.draft.name).toBe("Typed");
  });

  it("after re-authentication, the form of a new access token contains the entered fields", async () => {
    const form = formOf({ name: "ci", scopes: "read_api", expires_at: "2027-01-31" });
    await interrupted("createToken", form);
    expect(await loadTokenDraft({})).toEqual({ name: "ci", scopes: ["read_api"], expiresAt: "2027-01-31" });
  });

  it("after re-authentication, the form of an application still contains the selected logo, and the server saves the logo", async () => {
    const { default: sharp } = await import("sharp");
    const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } })
      .png()
      .toBuffer();
    const id = String(applicationId);
    const picture = new File([new Uint8Array(png)], "mark.png", { type: "image/png" });
    await interrupted("uploadLogo", formOf({ id, logo: picture }));
    expect((await loadApplicationEdit(id)).heldLogo).toBe("mark.png");
    await expect(run(action("uploadLogo"), formOf({ id, logo: new File([], "") }))).rejects.toThrow(
      "NEXT_REDIRECT",
    );
    expect(await deps.db.applicationLogo.count({ where: { applicationId } })).toBe(1);
  });

  it("a stored form is discarded when five newer forms are stored for its session", async () => {
    await deps.db.heldForm.deleteMany();
    for (let id = 1; id <= 7; id++)
      await expect(run(action("blockUser"), formOf({ id: String(id) }))).rejects.toThrow("NEXT_REDIRECT");
    const pages = (await deps.db.heldForm.findMany({ orderBy: { id: "asc" } })).map(({ page }) => page);
    expect(pages).toEqual([3, 4, 5, 6, 7].map((id) => `/admin/users/${id}`));
  });
});

describe("the re-authentication of an administrator", () => {
  it(
    conformance(
      "SC-03",
      "the re-authentication of an administrator accepts a passkey instead of the password",
    ),
    async () => {
      const boss2 = await signedInUser(deps, "boss2");
      await deps.db.user.update({ where: { id: boss2.user.id }, data: { admin: true } });
      const key = await addedPasskey(deps, boss2.user);
      deps.advance(AUTHENTICATION_MINUTES_MAX * 60 + 1);
      request.headers = new Headers({ cookie: boss2.cookie });
      const session = await sessionOf(deps, boss2.cookie);
      if (session === null) throw new Error("The session is not live.");
      const { csrfToken, factor } = await confirmationOf(deps, session);
      if (!factor?.passkey) throw new Error("The page does not ask for a passkey.");
      const fields = {
        intent: "confirm",
        return_to: "/admin",
        form_token: csrfToken,
        credential: key.get(factor.passkey),
      };
      const response = await postSession(
        formPost("/users/session", encoded(fields), { cookie: boss2.cookie }),
      );
      expect(response.headers.get("location")).toMatch(/\/admin$/);
      const unknown = formOf({ id: "999999" });
      await expect(run(action("blockUser"), unknown)).rejects.toMatchObject({
        digest: expect.stringContaining("/admin/users/999999"),
      });
    },
  );
});
