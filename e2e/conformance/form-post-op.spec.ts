// The modules of the OpenID Connect Form Post OP certification plan of the OpenID Foundation that are missing
// from the Basic OP plan.
import { conformance } from "../../src/testing/conformance.ts";
import { expect, test } from "../fixtures.ts";
import { completed, type Document, formWith, openBrowser, relyingParty } from "./relying-party.ts";

const PLAN = "oidcc-formpost-basic-certification-test-plan";
const module = (name: string, sentence: string): string =>
  conformance("OF-03", `${PLAN}: ${name}: ${sentence}`);

function documentOf(result: Document | URL): Document {
  if (result instanceof URL) throw new Error(`A redirect instead of a document: ${result}`);
  return result;
}

test(
  module("oidcc-server", "the response is a form that the browser posts to the redirect URI"),
  async ({ instance, applications }) => {
    const party = relyingParty(instance, applications.confidential, applications.site.redirectUri);
    const url = party.requestUrl({ response_mode: "form_post", state: "posted" });
    const page = documentOf(await completed(openBrowser(instance), instance, url));
    const { action, hidden } = formWith(page.html, "code");
    expect(action).toBe(party.redirectUri);
    expect(hidden).toMatchObject({ code: expect.any(String), state: "posted" });
    const tokens = await party.exchange({ code: String(hidden["code"]) });
    expect(tokens.status).toBe(200);
    await party.verified(tokens);
  },
);

test(
  module("oidcc-prompt-none-not-logged-in", "an error is posted to the redirect URI"),
  async ({ instance, applications }) => {
    const party = relyingParty(instance, applications.confidential, applications.site.redirectUri);
    const url = party.requestUrl({ response_mode: "form_post", prompt: "none", state: "posted" });
    const page = documentOf(await openBrowser(instance).open(url));
    expect(formWith(page.html, "error")).toMatchObject({
      action: party.redirectUri,
      hidden: { error: "login_required", state: "posted" },
    });
  },
);
