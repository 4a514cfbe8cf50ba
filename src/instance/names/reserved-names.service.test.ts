import { describe, expect, it } from "vitest";
import { changeAccount } from "@/identity/users/account-changes.ts";
import { createUserAsAdministrator } from "@/identity/users/administration.ts";
import { changeProfile } from "@/identity/users/profile.ts";
import { create } from "@/identity/users/service.ts";
import { signUp } from "@/identity/users/sign-up.ts";
import { changeSettings } from "@/instance/settings/service.ts";
import * as applications from "@/oauth/applications/service.ts";
import { PASSWORD, registeredClient, signedInUser } from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { insertUser } from "@/testing/rows.ts";
import { createGroup } from "@/workspace/groups/service.ts";
import { createProject } from "@/workspace/projects/service.ts";

const deps = await openTestDeps();
await changeSettings(deps, { signup_enabled: "true" });
const ann = await signedInUser(deps, "ann");
const root = await create(deps, {
  username: "root",
  email: "root@localhost",
  password: PASSWORD,
  admin: true,
});
if ("problems" in root) throw new Error(JSON.stringify(root));
const boss = root.user;

const DISGUISED = "Suppоrt";
const INVISIBLE = "Acme\u200b";

describe("a reserved username", () => {
  it(
    conformance(
      "SC-15",
      "a reserved username is rejected wherever a username can be set, except for the first administrator",
    ),
    async () => {
      const user = { email: "x@example.com", password: PASSWORD, name: "" };
      const problems = { username: "is a reserved name" };
      expect(await create(deps, { ...user, username: "support" })).toEqual({ problems });
      expect(await createUserAsAdministrator(deps, boss, { ...user, username: "Oauth2" })).toEqual({
        problems,
      });
      expect(await changeAccount(deps, boss, ann.user.id, { username: "adm1n" })).toEqual({ problems });
      for (const username of ["admin", "root"])
        expect(await signUp(deps, { ...user, username }, "192.0.2.1")).toEqual({
          problems: { username: "is a reserved name." },
        });
    },
  );

  it(
    conformance("SC-15", "a reserved username stays valid for a user who already has the username"),
    async () => {
      const { id } = await insertUser(deps.db, "support");
      const outcome = await changeAccount(deps, boss, id, { username: "Support", name: "Help desk" });
      expect(outcome).toMatchObject({ user: { username: "Support", name: "Help desk" } });
    },
  );
});

describe("a name that imitates a reserved name", () => {
  it(
    conformance(
      "SC-15",
      "a name that imitates a reserved name is rejected for users, applications, groups and projects",
    ),
    async () => {
      const client = await registeredClient(deps, ann.user);
      const draft = { ...client.application, redirectUris: client.application.redirectUris.join("\n") };
      for (const name of [DISGUISED, INVISIBLE]) {
        const profile = await changeProfile(deps, ann.user, { name, privateProfile: false });
        expect(profile).toEqual({ name: expect.stringMatching(/^The name must not/) });
        expect(await applications.register(deps, ann.user, { ...draft, name })).toHaveProperty(
          "problems.name",
        );
        const group = { name, path: "acme", description: "", visibility: "private" } as const;
        expect(await createGroup(deps, boss, group, null)).toHaveProperty("problems.name");
        expect(await createProject(deps, ann.user, { name, path: "shop" }, null)).toHaveProperty(
          "problems.name",
        );
      }
    },
  );

  it(
    conformance(
      "SC-15",
      "an application name is rejected if the name suggests that the application belongs to the instance",
    ),
    async () => {
      const client = await registeredClient(deps, ann.user);
      const draft = { ...client.application, redirectUris: client.application.redirectUris.join("\n") };
      for (const name of ["Gatehouse", "GitLab Login", "Admin"]) {
        expect(await applications.register(deps, ann.user, { ...draft, name })).toHaveProperty(
          "problems.name",
        );
        const { id } = client.application;
        expect(await applications.change(deps, ann.user, id, { ...draft, name })).toHaveProperty(
          "problems.name",
        );
      }
    },
  );

  it(
    conformance(
      "SC-15",
      "a name that imitates a reserved name stays valid for an existing user, application, group or project when other fields change",
    ),
    async () => {
      const client = await registeredClient(deps, ann.user);
      const { id } = client.application;
      await deps.db.application.update({ where: { id }, data: { name: INVISIBLE } });
      const draft = { ...client.application, name: INVISIBLE, redirectUris: "https://other.example/cb" };
      expect(await applications.change(deps, ann.user, id, draft)).toHaveProperty(
        "application.name",
        INVISIBLE,
      );
      await deps.db.user.update({ where: { id: ann.user.id }, data: { name: DISGUISED } });
      const user = { ...ann.user, name: DISGUISED };
      expect(await changeProfile(deps, user, { name: DISGUISED, privateProfile: true })).toEqual({});
    },
  );
});
