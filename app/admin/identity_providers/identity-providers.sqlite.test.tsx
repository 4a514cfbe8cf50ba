import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { clientSecretOf, findProvider } from "@/identity/providers/service.ts";
import { addProvider, deleteProvider, saveProvider } from "@/operations/identity-providers/actions.ts";
import { newDraft } from "@/operations/identity-providers/schema.ts";
import { signedInUser } from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { openProvider, signInAt, useProviders } from "@/testing/identity-provider.ts";
import { sessionIn } from "@/testing/second-factor.ts";

/** The simulated request, whose headers the mocked functions of Next.js return. */
const request = vi.hoisted(() => ({ headers: new Headers() }));
vi.mock("next/headers", () => ({
  headers: async () => request.headers,
  cookies: async () => ({ get: () => undefined, set: () => undefined }),
}));

const deps = await openTestDeps();
const boss = await signedInUser(deps, "boss");
await deps.db.user.update({ where: { id: boss.user.id }, data: { admin: true } });
request.headers = new Headers({ cookie: boss.cookie });
const provider = await openProvider(() => deps.clock());
afterAll(() => provider.close());

const SECRET = "the secret of the client";
const STATE = { draft: newDraft("openid_connect"), problems: {} };

const formOf = (changes: Readonly<Record<string, string>> = {}): FormData => {
  const form = new FormData();
  const fields = {
    kind: "openid_connect",
    name: "corp",
    label: "Corp",
    issuer: provider.issuer,
    client_id: "gatehouse",
    client_secret: SECRET,
    enabled: "true",
    creates_accounts: "true",
    ...changes,
  };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
};
const saved = (promise: Promise<unknown>) => expect(promise).rejects.toThrow("NEXT_REDIRECT");
const events = async () =>
  (await deps.db.auditEvent.findMany({ where: { name: { startsWith: "identity_provider." } } })).map(
    ({ name }) => name,
  );

beforeEach(async () => {
  await deps.db.identityProvider.deleteMany();
  await deps.db.auditEvent.deleteMany();
});

describe("a sign-in provider", () => {
  it("an administrator can add, change, disable and delete a sign-in provider; the client secret is stored encrypted, and the deletion removes all links to accounts", async () => {
    await saved(addProvider(STATE, formOf()));
    const [row] = await deps.db.identityProvider.findMany();
    expect(JSON.stringify(row)).not.toContain(SECRET);
    expect(sessionIn(await signInAt(provider))).not.toBe("");

    await saved(saveProvider(STATE, formOf({ client_secret: "", label: "Renamed", creates_accounts: "" })));
    const changed = await findProvider(deps, "corp");
    expect(changed).toMatchObject({ label: "Renamed", createsAccounts: false });
    expect(changed && (await clientSecretOf(deps, changed))).toBe(SECRET);

    await saved(saveProvider(STATE, formOf({ enabled: "" })));
    expect(sessionIn(await signInAt(provider).catch(() => new Response()))).toBe("");
    expect(await deps.db.linkedIdentity.count()).toBe(1);
    await saved(deleteProvider(formOf()));
    expect([await deps.db.identityProvider.count(), await deps.db.linkedIdentity.count()]).toEqual([0, 0]);
    expect(await events()).toEqual([
      "identity_provider.created",
      "identity_provider.changed",
      "identity_provider.changed",
      "identity_provider.removed",
    ]);
  });

  it("when the issuer of a sign-in provider changes, the form requires the client secret, and the server never sends the stored secret to the new issuer", async () => {
    await saved(addProvider(STATE, formOf()));
    const moved = formOf({ client_secret: "", issuer: "http://127.0.0.1:9", enabled: "" });
    expect(await saveProvider(STATE, moved)).toMatchObject({
      problems: { clientSecret: expect.stringContaining("you changed the issuer") },
    });
    expect((await findProvider(deps, "corp"))?.issuer).toBe(provider.issuer);
  });

  it.each<[string, Record<string, string>, string]>([
    ["an issuer that does not respond", { issuer: "http://127.0.0.1:9" }, "issuer"],
    ["an issuer that is not the issuer of the metadata", { issuer: "http://localhost:1/x" }, "issuer"],
    ["the tenant of all organizations", { kind: "microsoft", issuer: "common" }, "issuer"],
    ["a name with a slash", { name: "a/b" }, "name"],
    ["no client secret", { client_secret: "" }, "clientSecret"],
    ["an enforced domain without links", { enforced_domains: "example.com" }, "linksByEmail"],
    ["a malformed domain", { allowed_domains: "@example.com" }, "allowedDomains"],
    ["a rule for an unknown group", { groups_claim: "g", group_rules: "x = no/group : guest" }, "groupRules"],
    ["a malformed rule", { groups_claim: "g", group_rules: "x" }, "groupRules"],
    ["a rule without a claim", { group_rules: "x = a : guest" }, "groupsClaim"],
  ])("a provider form with %s is refused", async (_what, changes, field) => {
    expect(await addProvider(STATE, formOf(changes))).toMatchObject({
      problems: { [field]: expect.any(String) },
    });
    expect([await deps.db.identityProvider.count(), await events()]).toEqual([0, []]);
  });

  it("a sign-in provider that environment variables define cannot be changed, replaced or deleted", async () => {
    useProviders(deps, [provider.settings()]);
    expect(await addProvider(STATE, formOf())).toMatchObject({ problems: { name: expect.any(String) } });
    await saved(saveProvider(STATE, formOf({ label: "Changed" })));
    await saved(deleteProvider(formOf()));
    expect(await findProvider(deps, "corp")).toMatchObject({ label: "Corp", fromEnvironment: true });
    expect(await events()).toEqual([]);
    useProviders(deps, []);
  });
});
