import { expect, it } from "vitest";
import { readSettings } from "@/instance/settings/service.ts";
import {
  approvalOf,
  authorizationQuery,
  type Client,
  codeFor,
  registeredClient,
  requestToken,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf } from "@/testing/projects.ts";
import { grantedTokens, refreshOf } from "@/testing/tokens.ts";
import { whileUncommitted } from "@/testing/transactions.ts";
import { deleteGroup } from "@/workspace/groups/service.ts";
import { approve } from "../authorizations/approval.ts";
import { lockConsent } from "../consents/service.ts";
import { claim } from "../device-authorizations/store.ts";
import { issue } from "../tokens/service.ts";
import { remove } from "./service.ts";

const deps = await openTestDeps();

it("the deletion of an application while a device gets its tokens causes no deadlock", async () => {
  const ann = await signedInUser(deps, "bob");
  const { application } = await registeredClient(deps, ann.user);
  const applicationId = application.id;
  const now = deps.clock();
  const { id } = await deps.db.deviceAuthorization.create({
    data: {
      ...{ deviceDigest: "d", applicationId, userId: ann.user.id, scopes: "read_user", address: "" },
      ...{ userAgent: "", status: "approved", createdAt: now, intervalSeconds: 5 },
      expiresAt: new Date(now.getTime() + 60_000),
    },
  });
  await whileUncommitted(
    deps,
    async (within) => {
      expect(await claim(within.db, id, now)).toBe(true);
      const grant = {
        type: "device_code",
        applicationId,
        userId: ann.user.id,
        scopes: ["read_user"],
      } as const;
      return async () => issue(within, await readSettings(within), grant);
    },
    () => remove(deps, ann.user, applicationId),
  );
  expect(await deps.db.application.count({ where: { id: applicationId } })).toBe(0);
});

it("the deletion of an application while a user allows access causes no deadlock", async () => {
  const ann = await signedInUser(deps, "cid");
  const client = await registeredClient(deps, ann.user);
  const about = { userId: ann.user.id, applicationId: client.application.id };
  await codeFor(deps, ann, authorizationQuery(client));
  await whileUncommitted(
    deps,
    async (within) => {
      await lockConsent(within, about);
      const approval = await approvalOf(within, ann, client);
      return () => approve(within, approval, { sessionId: "", purpose: "", formId: "" });
    },
    () => remove(deps, ann.user, about.applicationId),
  );
  expect(await deps.db.authorizationCode.count({ where: about })).toBe(0);
});

/** Deletes an application during a refresh of its tokens, which locks the token family before the application. */
async function deleteDuringRefresh(ann: SignedInUser, client: Client, deletion: () => Promise<unknown>) {
  const { refresh } = await grantedTokens(deps, ann, client);
  const { id } = client.application;
  // The refresh locks the token family, and waits for the lock on the refresh token.
  await whileUncommitted(
    deps,
    (within) =>
      within.db.oauthToken.updateMany({ where: { applicationId: id }, data: { applicationId: id } }),
    async () => expect(await requestToken(refreshOf(client, refresh))).toMatchObject({ status: 200 }),
    deletion,
  );
  expect(await deps.db.application.count({ where: { id } })).toBe(0);
  expect(await deps.db.oauthToken.count()).toBe(0);
}

it("the deletion of an application during a refresh of its tokens causes no deadlock", async () => {
  const ann = await signedInUser(deps, "ann");
  const client = await registeredClient(deps, ann.user);
  const { id } = client.application;
  await deleteDuringRefresh(ann, client, async () =>
    expect(await remove(deps, ann.user, id)).toMatchObject({ id }),
  );
});

it("the deletion of a group during a refresh of the tokens of its application causes no deadlock", async () => {
  const ann = await signedInUser(deps, "dan");
  const client = await registeredClient(deps, ann.user);
  const group = await groupOf(deps, ann.user, "team");
  const data = { ownerId: null, groupId: group.id };
  await deps.db.application.update({ where: { id: client.application.id }, data });
  await deleteDuringRefresh(ann, client, async () =>
    expect(await deleteGroup(deps, group, ann.user)).toBe("removed"),
  );
});
