import { beforeEach, expect, it } from "vitest";
import { listMessages } from "@/instance/mail/service.ts";
import { remindOfExpiry } from "@/oauth/personal-access-tokens/expiry-reminder.ts";
import { dayAfter } from "@/oauth/personal-access-tokens/rules.ts";
import { apiUser } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, memberOf, projectOf } from "@/testing/projects.ts";
import { resourceOf as groupResource } from "../groups/service.ts";
import { resourceOf } from "../projects/service.ts";
import { createAccessToken } from "./service.ts";

const deps = await openTestDeps();
const owner = await apiUser(deps, "owner");
const maintainer = await apiUser(deps, "maintainer");
const developer = await apiUser(deps, "developer");
const blocked = await apiUser(deps, "blocked");
await deps.db.user.update({ where: { id: blocked.user.id }, data: { state: "blocked" } });

beforeEach(async () => {
  await deps.db.mailMessage.deleteMany();
});

const recipients = async () =>
  (await listMessages(deps))
    .filter(({ kind }) => kind === "access_token_expiring")
    .map(({ recipient }) => recipient)
    .toSorted();

it("seven days before an access token of a project or a group expires, the members who may manage the access token are reminded once", async () => {
  const group = await groupOf(deps, owner.user, "team");
  const shop = await projectOf(deps, owner.user, "shop", { group });
  await memberOf(deps, shop, maintainer.user, "maintainer");
  await memberOf(deps, shop, developer.user, "developer");
  await memberOf(deps, group, developer.user, "maintainer");
  await memberOf(deps, shop, blocked.user, "maintainer");
  const draft = { name: "CI", scopes: ["api"], role: "guest" } as const;
  for (const resource of [resourceOf(shop), groupResource(group)])
    await createAccessToken(
      deps,
      { resource, by: owner.user, held: "owner" },
      { ...draft, expiresAt: dayAfter(deps.clock(), 30) },
    );
  await remindOfExpiry(deps);
  expect(await recipients()).toEqual([]);
  deps.advance(24 * 86_400);
  await Promise.all([remindOfExpiry(deps), remindOfExpiry(deps)]);
  const emails = [developer, maintainer, owner, owner].map(({ user }) => user.email);
  expect(await recipients()).toEqual(emails.toSorted());
});
