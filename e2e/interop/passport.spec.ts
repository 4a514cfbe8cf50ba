import type { Page } from "@playwright/test";
import GitLabStrategy from "passport-gitlab2";
import OAuth2Strategy, { type Strategy } from "passport-oauth2";
import { conformance } from "../../src/testing/conformance.ts";
import type { Instance } from "../instance.ts";
import { open } from "../oauth/fixtures.ts";
import {
  type Confidential,
  expect,
  registerConfidential,
  signInAndAllow,
  statusOf,
  test,
} from "./fixtures.ts";
import { type Outcome, openPassportSite, type PassportSite, remember } from "./passport-site.ts";

let site: PassportSite;
/** The second application is for tests in which the user denies the request. */
let applications: Readonly<{ allowed: Confidential; denied: Confidential }>;

test.beforeAll(async ({ instance }) => {
  site = await openPassportSite();
  const common = ["--redirect-uri", site.callbackUrl, "--scopes", "read_user openid"];
  const [allowed, denied] = await Promise.all([
    registerConfidential(instance, "--name", "Acme Wiki", ...common),
    registerConfidential(instance, "--name", "Acme Wiki again", ...common),
  ]);
  applications = { allowed, denied };
});

test.afterAll(() => site.close());

/** The client options that both passport strategies receive. */
const optionsFor = ({ client_id, client_secret }: Confidential) => ({
  clientID: client_id,
  clientSecret: client_secret,
  callbackURL: site.callbackUrl,
});

/**
 * Signs in at the site with this strategy.
 * @returns the result of the sign-in, and the scope that the strategy requested.
 */
async function signInBy(
  page: Page,
  instance: Instance,
  strategy: Strategy,
): Promise<Readonly<{ outcome: Outcome | undefined; scope: string | null }>> {
  let scope: string | null = null;
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.pathname === "/oauth/authorize" && url.searchParams.has("scope"))
      scope = url.searchParams.get("scope");
  });
  site.use(strategy);
  await signInAndAllow(page, instance, site.signInUrl);
  return { outcome: site.outcome(), scope };
}

const ROOT = { provider: "gitlab", id: "1", username: "root", displayName: expect.any(String) };

test(
  conformance("AC-01", "US-01", "passport-gitlab2 signs a user in with its defaults"),
  async ({ page, instance }) => {
    const strategy = new GitLabStrategy(
      { ...optionsFor(applications.allowed), baseURL: instance.baseUrl },
      remember,
    );
    const { outcome, scope } = await signInBy(page, instance, strategy);
    expect(scope).toBe("read_user");
    expect(outcome).toMatchObject({
      kind: "signed_in",
      refreshToken: expect.any(String),
      profile: {
        ...ROOT,
        emails: [{ value: expect.stringContaining("@") }],
        profileUrl: `${instance.baseUrl}/root`,
        avatarUrl: null,
      },
    });
  },
);

test(
  conformance("PK-02", "AZ-03", "passport-gitlab2 signs a user in with state and PKCE"),
  async ({ page, instance }) => {
    const options = {
      ...optionsFor(applications.allowed),
      baseURL: instance.baseUrl,
      state: true,
      pkce: true,
    };
    const strategy = new GitLabStrategy(options, remember);
    const { outcome } = await signInBy(page, instance, strategy);
    expect(outcome).toMatchObject({ kind: "signed_in", profile: ROOT });
  },
);

test(
  conformance(
    "AZ-21",
    "AC-01",
    "passport-gitlab2 signs a user in with several scopes, which it separates by commas",
  ),
  async ({ page, instance }) => {
    const common = optionsFor(applications.allowed);
    const options = { ...common, baseURL: instance.baseUrl, scope: ["read_user", "openid"] };
    for (const [more, joined] of [
      [{}, "read_user,openid"],
      [{ scopeSeparator: " " }, "read_user openid"],
    ] as const) {
      const { outcome, scope } = await signInBy(
        page,
        instance,
        new GitLabStrategy({ ...options, ...more }, remember),
      );
      expect(scope).toBe(joined);
      expect(outcome).toMatchObject({ kind: "signed_in", profile: ROOT });
    }
  },
);

test(
  conformance(
    "AC-01",
    "PK-02",
    "US-01",
    "passport-oauth2 gets a working token with several scopes, state and PKCE",
  ),
  async ({ page, instance }) => {
    const strategy = new OAuth2Strategy(
      {
        ...optionsFor(applications.allowed),
        authorizationURL: `${instance.baseUrl}/oauth/authorize`,
        tokenURL: `${instance.baseUrl}/oauth/token`,
        scope: ["read_user", "openid"],
        state: true,
        pkce: true,
      },
      remember,
    );
    const { outcome, scope } = await signInBy(page, instance, strategy);
    expect(scope).toBe("read_user openid");
    if (outcome?.kind !== "signed_in") throw new Error(`The sign-in ended as ${outcome?.kind}.`);
    expect(await statusOf(instance, outcome.accessToken)).toBe(200);
  },
);

test(
  conformance("AZ-04", "passport-gitlab2 receives access_denied when the user denies the request"),
  async ({ page, instance }) => {
    const options = { ...optionsFor(applications.denied), baseURL: instance.baseUrl };
    site.use(new GitLabStrategy(options, remember));
    await open(page, instance, site.signInUrl);
    await page.getByRole("button", { name: "Deny" }).click();
    await expect(page.getByRole("heading", { name: "Back at the client" })).toBeVisible();
    expect(site.outcome()).toMatchObject({ kind: "refused", message: expect.any(String) });
  },
);
