import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { changeSettings } from "@/instance/settings/service.ts";
import { registerApplication } from "@/oauth/own-applications/actions.ts";
import {
  registeredClient,
  type SignedInUser,
  signedInCookie,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import NewPersonalAccessTokenPage from "../personal_access_tokens/new/page.tsx";
import PersonalAccessTokensPage from "../personal_access_tokens/page.tsx";
import SecretPage from "./[id]/secret/page.tsx";
import NewApplicationPage from "./new/page.tsx";
import ApplicationsPage from "./page.tsx";

/** The simulated request, whose headers the mocked functions of Next.js return. */
const request = vi.hoisted(() => ({ headers: new Headers() }));
vi.mock("next/headers", () => ({ headers: async () => request.headers }));

const deps = await openTestDeps();
const CLOSED = /Users cannot register applications on this server/;
const BUTTON = /href="\/user_settings\/applications\/new"/;

let ann: SignedInUser;

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
  await registeredClient(deps, ann.user, { name: "The old one" });
  request.headers = new Headers({ cookie: ann.cookie });
});

const open = (value: boolean) => changeSettings(deps, { user_oauth_applications: String(value) });
const searchParams = Promise.resolve({});
const list = async () => renderToStaticMarkup(await ApplicationsPage({ searchParams }));
const form = async () => renderToStaticMarkup(await NewApplicationPage({ searchParams }));

const filled = new FormData();
filled.set("name", "Client");
filled.set("redirect_uris", "https://client.example.com/callback");
filled.append("scopes", "read_user");
filled.set("confidential", "true");

const EMPTY = {
  kind: "editing",
  draft: {
    name: "",
    redirectUris: "",
    scopes: [],
    confidential: null,
    requiresPkce: false,
    allowsPassword: true,
  },
  problems: {},
  template: "blank",
} as const;

describe("the applications of a user while registration is disabled", () => {
  it("while registration is disabled, the list of applications is still shown, with a message about the disabled registration", async () => {
    await open(false);
    const html = await list();
    expect(html).toContain("The old one");
    expect(html).toMatch(CLOSED);
    expect(html).not.toMatch(BUTTON);
  });

  it(
    conformance(
      "SC-34",
      "while registration is disabled, the empty list of applications has no link to register an application",
    ),
    async () => {
      const bob = await signedInUser(deps, "bob");
      request.headers = new Headers({ cookie: bob.cookie });
      const invitation = /Register (?:a website|your first|an application)/;
      await open(true);
      expect(await list()).toMatch(invitation);
      await open(false);
      const html = await list();
      request.headers = new Headers({ cookie: ann.cookie });
      expect(html).toContain("You have no applications yet");
      expect(html).not.toMatch(invitation);
      expect(html).not.toMatch(BUTTON);
    },
  );

  it("while registration is disabled, an application cannot be registered by the form or by a direct call of the server action", async () => {
    await open(false);
    const html = await form();
    expect(html).toMatch(CLOSED);
    expect(html).not.toContain("<form");
    const before = await deps.db.application.count();
    await expect(registerApplication(EMPTY, filled)).rejects.toThrow("NEXT_REDIRECT");
    expect(await deps.db.application.count()).toBe(before);
  });
});

describe("the applications of a user while registration is enabled", () => {
  it("the list of applications has a link to the registration form, and the form registers an application", async () => {
    await open(true);
    expect(await list()).toMatch(BUTTON);
    expect(await list()).not.toMatch(CLOSED);
    expect(await form()).toContain("<form");
    request.headers = new Headers({ cookie: ann.cookie, "next-action": "1" });
    const state = await registerApplication(EMPTY, filled);
    const { id } = await deps.db.application.findFirstOrThrow({ where: { name: "Client" } });
    expect(state).toEqual({ kind: "saved", secretAt: `/user_settings/applications/${id}/secret` });
  });

  it("the new secret is shown once, in the session that registered the application", async () => {
    const { id, uid } = await deps.db.application.findFirstOrThrow({ where: { name: "Client" } });
    const params = Promise.resolve({ id: String(id) });
    const show = async () => renderToStaticMarkup(await SecretPage({ params }));
    request.headers = new Headers({ cookie: await signedInCookie("ann") });
    expect(await show()).toContain("was already shown");
    request.headers = new Headers({ cookie: ann.cookie });
    const pages = await Promise.all([show(), show()]);
    const secrets = pages.flatMap((html) => /id="secret"[^>]*value="(ghcs_[\w-]+)"/.exec(html)?.[1] ?? []);
    expect(secrets).toHaveLength(1);
    expect(pages.join()).toContain(`CLIENT_ID=${uid}\nCLIENT_SECRET=${secrets[0]}`);
    expect(pages.join()).toContain(`CLIENT_SECRET=&#x27;${secrets[0]}&#x27;`);
    expect(await show()).toContain("was already shown");
  });

  it("the registration form keeps the entered values when the user chooses a template", async () => {
    const typed = new FormData();
    for (const [name, value] of [
      ["template", "device"],
      ["template_before", "server"],
      ["name", "Typed"],
      ["redirect_uris", ""],
      ["scopes", "read_api"],
      ["confidential", "true"],
    ] as const)
      typed.append(name, value);
    expect(await registerApplication(EMPTY, typed)).toEqual({
      kind: "editing",
      problems: {},
      template: "device",
      draft: {
        name: "Typed",
        redirectUris: "http://127.0.0.1/callback",
        scopes: ["read_api"],
        confidential: false,
        requiresPkce: true,
        allowsPassword: false,
        requiresPushedRequests: false,
        requiresDpop: false,
        authentication: { method: "", jwks: "", jwksUri: "" },
        clientCredentialsScopes: [],
        revokesUncovered: false,
      },
    });
  });
});

describe(conformance("AP-07", "the forms for applications and personal access tokens"), () => {
  const query = { name: "CI <b>", scopes: "read_user,sudo api", redirect_uri: "https://ci.example/cb" };
  const shown = async (page: Promise<ReactElement>) => renderToStaticMarkup(await page);
  const checked = (html: string) =>
    [...html.matchAll(/<input[^>]*name="scopes"[^>]*>/g)]
      .filter(([field]) => field.includes("checked"))
      .map(([field]) => /value="(\w+)"/.exec(field)?.[1]);

  it("the forms for a new application and a new access token contain the values of the URL query, except unknown scopes, and opening them stores nothing", async () => {
    await open(true);
    const before = await deps.db.application.count();
    const searchParams = Promise.resolve(query);
    const application = await shown(NewApplicationPage({ searchParams }));
    expect(application).toContain('value="CI &lt;b&gt;"');
    expect(application).toContain(">https://ci.example/cb</textarea>");
    expect(checked(application).toSorted()).toEqual(["api", "read_user"]);
    const token = await shown(NewPersonalAccessTokenPage({ searchParams }));
    expect(token).toContain('value="CI &lt;b&gt;"');
    expect(checked(token).toSorted()).toEqual(["api", "read_user"]);
    expect(await deps.db.application.count()).toBe(before);
    expect(await deps.db.personalAccessToken.count()).toBe(0);
  });

  it("the lists of applications and tokens redirect to the forms if the URL has form parameters, because links that were made for GitLab have such URLs", async () => {
    const searchParams = Promise.resolve(query);
    const encoded = "name=CI+%3Cb%3E&redirect_uri=https%3A%2F%2Fci.example%2Fcb&scopes=read_user%2Csudo+api";
    await expect(ApplicationsPage({ searchParams })).rejects.toMatchObject({
      digest: expect.stringContaining(`/user_settings/applications/new?${encoded};`),
    });
    await expect(PersonalAccessTokensPage({ searchParams })).rejects.toMatchObject({
      digest: expect.stringContaining(
        "/user_settings/personal_access_tokens/new?name=CI+%3Cb%3E&scopes=read_user%2Csudo+api;",
      ),
    });
  });
});
