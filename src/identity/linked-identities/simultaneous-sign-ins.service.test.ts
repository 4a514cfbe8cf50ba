import { describe, expect, it } from "vitest";
import type { Deps } from "@/kernel/deps/deps.ts";
import { apiUser } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { PROVIDER_SETTINGS } from "@/testing/identity-provider.ts";
import { afterFirst } from "@/testing/transactions.ts";
import type { Provider } from "../providers/rules.ts";
import type { Identity } from "./rules.ts";
import { accountOf } from "./service.ts";

const deps = await openTestDeps();

const provider: Provider = {
  ...PROVIDER_SETTINGS,
  name: "corp",
  issuer: "https://corp.example",
  clientId: "gatehouse",
  linksByEmail: true,
  fromEnvironment: true,
  enabled: true,
};

const identityOf = (username: string): Identity => ({
  provider: provider.name,
  issuer: provider.issuer,
  subject: username,
  email: `${username}@example.com`,
  emailVerified: true,
  username,
  name: username,
  groups: null,
});

/** Signs the user in while the same user signs in with another request, and returns both results. */
async function signInDuringSignIn(username: string) {
  const signIn = (by: Deps) => accountOf(by, provider, identityOf(username), "192.0.2.1");
  const outcomes: Awaited<ReturnType<typeof accountOf>>[] = [];
  const other = async () => outcomes.push(await signIn(deps));
  const read = { table: "linkedIdentity", method: "findUnique" } as const;
  outcomes.push(await signIn(afterFirst(deps, read, other)));
  return outcomes.map((outcome) => ("user" in outcome ? outcome.user.username : outcome.refused));
}

describe("a sign-in that reads the linked accounts while another sign-in of the same user ends", () => {
  it("uses the account that the other sign-in created", async () => {
    expect(await signInDuringSignIn("zoe")).toEqual(["zoe", "zoe"]);
    expect(await deps.db.user.count({ where: { usernameLower: { startsWith: "zoe" } } })).toBe(1);
  });

  it("uses the account that the other sign-in linked by the e-mail address", async () => {
    const { user } = await apiUser(deps, "mia");
    expect(await signInDuringSignIn("mia")).toEqual(["mia", "mia"]);
    expect(await deps.db.linkedIdentity.count({ where: { userId: user.id } })).toBe(1);
  });
});

it("users with the same suggested username can sign in for the first time simultaneously", async () => {
  const signIn = (by: Deps, subject: string) =>
    accountOf(by, provider, { ...identityOf(subject), username: "kim" }, "192.0.2.1");
  const others = ["kim.a", "kim.b", "kim.c"];
  const during: Deps = {
    ...deps,
    async transaction(run) {
      const other = others.shift();
      if (other !== undefined) await signIn(deps, other);
      return deps.transaction.call(this, run) as ReturnType<typeof run>;
    },
  };
  const outcome = await signIn(during, "kim.d");
  expect("user" in outcome && outcome.user.username).toMatch(/^kim-[\da-f]{8}$/);
});
