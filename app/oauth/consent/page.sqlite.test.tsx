import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { SCOPES } from "@/access/scopes.ts";
import {
  answerAt,
  askFor,
  type Client,
  encoded,
  type Fields,
  formPost,
  ORIGIN,
  type Person,
  registeredClient,
  signedInPerson,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { POST } from "../authorize/route.ts";
import ConsentPage from "./page.tsx";

/** The request that Next would be answering. */
const request = vi.hoisted(() => ({ headers: new Headers() }));
vi.mock("next/headers", () => ({ headers: async () => request.headers }));

const deps = await openTestDeps();
const NAME = `<script>alert("x")</script> & Söhne`;
const STATE = `"><script>alert(1)</script>&'`;

let ann: Person;
let client: Client;

beforeAll(async () => {
  ann = await signedInPerson(deps, "ann");
  const owner = await signedInPerson(deps, "olga");
  const redirectUris = "https://client.example.com/callback\nhttp://127.0.0.1/cb\ncom.example.app:/cb";
  client = await registeredClient(deps, owner.user, {
    name: NAME,
    redirectUris,
    scopes: ["read_user", "api"],
  });
});

async function shown(ask: Fields, person?: Person): Promise<string> {
  request.headers = new Headers(person === undefined ? {} : { cookie: person.cookie });
  const searchParams = Promise.resolve(Object.fromEntries(new URLSearchParams(encoded(ask))));
  return renderToStaticMarkup(await ConsentPage({ searchParams }));
}

/** The hidden fields of the form, as a browser would post them. */
const hiddenFields = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"\/>/g)].map(
      ([, name = "", value = ""]) => [
        name,
        value
          .replaceAll("&quot;", '"')
          .replaceAll("&#x27;", "'")
          .replaceAll("&lt;", "<")
          .replaceAll("&gt;", ">")
          .replaceAll("&amp;", "&"),
      ],
    ),
  );

describe("the consent page", () => {
  it(
    conformance(
      "AZ-02",
      "AT-34",
      "says who asks, whose application it is, as whom, for what and where to, all escaped",
    ),
    async () => {
      const html = await shown(askFor(client, { scope: "read_user api", state: STATE }), ann);
      expect(html).not.toContain("<script>");
      expect(html).toContain("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; Söhne");
      for (const text of ["olga", "@ann", SCOPES.read_user.label, SCOPES.api.label, "client.example.com"])
        expect(html).toContain(text);
      expect(html).toMatch(/<button[^>]*value="deny"[^>]*>Deny</);
      expect(html).toMatch(/<button[^>]*value="allow"[^>]*>Allow</);
      expect(html).toMatch(
        /<form[^>]*method="post"[^>]*action="\/oauth\/authorize"|<form[^>]*action="\/oauth\/authorize"[^>]*method="post"/,
      );
      expect(html.indexOf(SCOPES.read_user.label)).toBeLessThan(html.indexOf(SCOPES.api.label));
      expect(html).not.toContain(SCOPES.profile.detail);
    },
  );

  it(
    conformance(
      "AZ-02",
      "AZ-03",
      "AZ-08",
      "posts a form that is accepted as it stands, and gives the state back to the byte",
    ),
    async () => {
      const fields = hiddenFields(await shown(askFor(client, { state: STATE }), ann));
      const body = encoded({ ...fields, decision: "allow" });
      const response = await POST(formPost("/oauth/authorize", body, { cookie: ann.cookie }));
      expect(answerAt(response)).toEqual({ code: expect.any(String), state: STATE });
    },
  );

  it(conformance("AZ-27", "leads to another account and back to the same request"), async () => {
    const html = await shown(askFor(client, { prompt: "select_account", state: STATE }), ann);
    const written = /<a href="([^"]*)"[^>]*>Use another account/.exec(html)?.[1] ?? "";
    const href = written.replaceAll("&#x27;", "'").replaceAll("&amp;", "&");
    const { pathname, searchParams } = new URL(href, ORIGIN);
    expect([pathname, searchParams.get("again")]).toEqual(["/users/sign_in", "1"]);
    const back = new URL(searchParams.get("return_to") ?? "", ORIGIN);
    expect([back.pathname, back.searchParams.get("state")]).toEqual(["/oauth/authorize", STATE]);
    expect(back.searchParams.get("prompt")).toBe("select_account");
  });

  it("warns an administrator, and nobody else", async () => {
    const boss = await signedInPerson(deps, "boss");
    expect(await shown(askFor(client), boss)).not.toContain("administrator");
    await deps.db.user.update({ where: { id: boss.user.id }, data: { admin: true } });
    expect(await shown(askFor(client), boss)).toContain("You are an administrator");
  });

  it.each([
    ["http://127.0.0.1:51234/cb", "a program on this computer"],
    ["com.example.app:/cb", "com.example.app"],
  ])(conformance("AZ-02", "names the target of %s"), async (redirect_uri, text) => {
    const everything = askFor(client, { redirect_uri, scope: "api" });
    expect(await shown(everything, ann)).toContain(text);
  });

  it.each<[string, Fields, boolean]>([
    ["nobody is signed in", {}, false],
    ["the application is unknown", { client_id: "unknown" }, true],
    ["the redirect URI is not registered", { redirect_uri: "https://evil.example/" }, true],
    ["the scope is not the application's", { scope: "profile" }, true],
    ["the text is broken", { state: "\0" }, true],
  ])(
    conformance("AZ-35", "shows nothing and leaves it to /oauth/authorize when %s"),
    async (_when, changes, signedIn) => {
      const page = shown(askFor(client, changes), signedIn ? ann : undefined);
      await expect(page).rejects.toMatchObject({
        digest: expect.stringContaining(";/oauth/authorize?client_id="),
      });
    },
  );
});
