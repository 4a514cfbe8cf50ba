import { expect, it } from "vitest";
import { resetPassword } from "@/identity/users/service.ts";
import { createPersonalToken, lockLiveToken } from "@/oauth/personal-access-tokens/service.ts";
import { apiUser } from "@/testing/api.ts";
import {
  approvalOf,
  authorizationQuery,
  codeFor,
  registeredClient,
  signedInUser,
} from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { grantedTokens } from "@/testing/tokens.ts";
import { whileUncommitted } from "@/testing/transactions.ts";
import { issueCode } from "./approval.ts";
import { withdrawConsent } from "./service.ts";

const deps = await openTestDeps();

it("the withdrawal of a consent cancels an authorization code that a concurrent request has just stored", async () => {
  const ann = await signedInUser(deps, "ann");
  const client = await registeredClient(deps, ann.user);
  await codeFor(deps, ann, authorizationQuery(client));
  const approval = { ...(await approvalOf(deps, ann, client)), application: client.application };
  const about = { userId: ann.user.id, applicationId: client.application.id };
  await whileUncommitted(
    deps,
    (within) => issueCode(within, approval),
    () => withdrawConsent(deps, about),
  );
  expect(await deps.db.authorizationCode.count({ where: about })).toBe(2);
  expect(await deps.db.authorizationCode.count({ where: { ...about, usedAt: null } })).toBe(0);
});

it("a password reset revokes a personal access token that a concurrent request with another token has just stored", async () => {
  const { user } = await apiUser(deps, "root");
  const own = await deps.db.personalAccessToken.findFirstOrThrow({ where: { userId: user.id } });
  await whileUncommitted(
    deps,
    async (within) => {
      expect(await lockLiveToken(within, { id: own.id, ownerId: user.id })).toBe(true);
      await createPersonalToken(within, user, { name: "second", scopes: ["api"], expiresAt: null });
    },
    () => resetPassword(deps, user, "another long passphrase"),
  );
  expect(await deps.db.personalAccessToken.count({ where: { userId: user.id, revokedAt: null } })).toBe(0);
});

it("a password reset during the withdrawal of a consent to an application with logout tokens causes no deadlock", async () => {
  const ann = await signedInUser(deps, "eve");
  const client = await registeredClient(deps, ann.user, {
    scopes: ["openid", "read_user"],
    backchannelLogout: { uri: "https://client.example/logout", sessionRequired: false },
  });
  await grantedTokens(deps, ann, client, { scope: "openid" });
  const about = { userId: ann.user.id, applicationId: client.application.id };
  // Both requests wait for the lock on the token family.
  await whileUncommitted(
    deps,
    (within) => within.db.tokenFamily.updateMany({ where: about, data: { userId: ann.user.id } }),
    () => resetPassword(deps, ann.user, "another long passphrase"),
    () => withdrawConsent(deps, about),
  );
  expect(await deps.db.consent.count({ where: about })).toBe(0);
  expect(await deps.db.tokenFamily.count({ where: { ...about, revokedAt: null } })).toBe(0);
});
