import { beforeEach, describe, expect, it } from "vitest";
import type { Deps } from "@/kernel/deps/deps.ts";
import { type Client, registeredClient, signedInUser } from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { whileUncommitted } from "@/testing/transactions.ts";
import { consentedScopes, extendConsent, narrowConsents, removeConsent } from "./service.ts";

const deps = await openTestDeps();
const { user } = await signedInUser(deps, "ann");

let client: Client;
beforeEach(async () => {
  client = await registeredClient(deps, user, { scopes: ["read_user", "api", "openid"] });
  await extend("read_user", "api")(deps);
});

const about = () => ({ userId: user.id, applicationId: client.application.id });
const extend =
  (...scopes: readonly string[]) =>
  (within: Deps) =>
    extendConsent(within, { ...about(), scopes });
const extendAlone =
  (...scopes: readonly string[]) =>
  () =>
    deps.transaction(extend(...scopes));
const narrow = (within: Deps) =>
  narrowConsents(within, { id: client.application.id, scopes: ["read_user", "openid"] });
const consented = async () => (await consentedScopes(deps, user.id, client.application.id)).toSorted();

describe("an approval that changes a consent simultaneously with another change", () => {
  it("does not restore scopes that the user withdraws", async () => {
    await whileUncommitted(deps, (within) => removeConsent(within, about()), extendAlone("openid"));
    expect(await consented()).toEqual(["openid"]);
  });

  it("does not restore scopes that are removed from the application", async () => {
    await whileUncommitted(deps, narrow, extendAlone("openid"));
    expect(await consented()).toEqual(["openid", "read_user"]);
  });

  it("keeps the scopes of an approval in another tab", async () => {
    await whileUncommitted(deps, extend("openid"), extendAlone("profile"));
    expect(await consented()).toEqual(["api", "openid", "profile", "read_user"]);
  });

  it("does not prevent the removal of scopes that the application no longer has", async () => {
    await whileUncommitted(deps, extend("openid"), () => narrow(deps));
    expect(await consented()).toEqual(["openid", "read_user"]);
  });
});
