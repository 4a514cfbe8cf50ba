import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { nameProblem, newUsernameProblem } from "@/identity/users/rules.ts";
import { conformance } from "@/testing/conformance.ts";
import { pathProblem } from "@/workspace/naming/path.ts";
import { imitatesReservedName, impersonatesInstance, isReservedUsername } from "./reserved-names.ts";

const INSTANCE = ["Gatehouse", "id.example.com"];

/** The first path segments of the routes of the instance. */
const segments = [
  ...readdirSync("app", { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name),
  ...readdirSync("public"),
].filter((name) => /^[\w.-]+$/.test(name) && name !== "icon.svg");

describe("a username", () => {
  it.each(segments)(
    conformance("SC-15", "a username cannot be %s, which is a path of the instance"),
    (segment) => {
      expect(isReservedUsername(segment, INSTANCE)).toBe(true);
      expect(pathProblem(segment, true)).not.toBeNull();
    },
  );

  it.each([
    "admin",
    "ADMIN",
    "administrator",
    "support",
    "api",
    "oauth",
    "oauth2",
    "root",
    "security",
    "help",
    "postmaster",
    "gatehouse",
    "id.example.com",
    "adm1n",
    "supp0rt",
    "ad.min",
    "gate-house",
    "securlty",
  ])(conformance("SC-15", "a username cannot be %s"), (username) => {
    expect(newUsernameProblem(username, INSTANCE)).toBe("is a reserved name");
  });

  it.each(["ann", "admin-ann", "supporter", "rooty", "apis", "helper", "example.com"])(
    conformance("SC-15", "a username can be %s"),
    (username) => {
      expect(newUsernameProblem(username, INSTANCE)).toBeNull();
    },
  );
});

describe("a display name", () => {
  it.each([
    "Аdmin",
    "Suppоrt",
    "Gatеhouse",
    "Gatehouse Suppоrt",
    "Ｇatehouse",
    "𝐒𝐮𝐩𝐩𝐨𝐫𝐭",
    "ᴀᴅᴍɪɴ",
    "sеcurity",
    "Αdministrator",
    "гoot",
  ])(conformance("SC-15", "a display name cannot imitate a reserved name: %s"), (name) => {
    expect(imitatesReservedName(name)).toBe(true);
    expect(nameProblem(name)).toBe("must not imitate a reserved name");
  });

  it.each([
    "Administrator",
    "Support",
    "Арі",
    "Мария Админова",
    "Ελένη",
    "Ann Мария",
    "ﬁne words",
    "Ádám",
    "admin-ann",
    "李小龍",
  ])(conformance("SC-15", "a display name can be %s"), (name) => {
    expect(nameProblem(name)).toBeNull();
  });
});

describe("a name of an application", () => {
  it.each([
    "Gatehouse",
    "Gate House",
    "GitLab",
    "gitlab",
    "Git-Lab Login",
    "GitIab",
    "Official Gatehouse App",
    "My GitLab",
    "Admin",
    "adm1n console",
    "Administrator",
    "The Support Team",
    "id.example.com",
    "Login with id.example.com and GitLab",
    "Gatehouse Deploy",
    "GitLabLogin",
    "GitLabs Login",
    "GatehouseLogin",
    "GitLabs SSO",
    "MyGitLab",
    "GatehouseAuth",
    "gitlabsignin",
    "Login with Gatehouse",
    "Log in with Gatehouse",
    "Sign in to GitLab",
    "Log into Gatehouse",
    "Sign-in page of Acme for GitLab",
    "Single Sign-On for GitLab",
  ])(
    conformance(
      "SC-15",
      "the name of an application cannot suggest that the application belongs to the instance: %s",
    ),
    (name) => {
      expect(impersonatesInstance(name, INSTANCE)).toBe(true);
    },
  );

  it.each([
    "Acme Deploy",
    "Acme Admin",
    "Importer for GitLab",
    "Log viewer for GitLab",
    "OAuth proxy for GitLab",
    "Sign maker for GitLab",
    "GitLaboratory",
    "Acme Login",
    "Support desk",
    "Mail",
    "My App",
    "Localhost",
    "Gatekeeper",
    "李小龍",
    "🚀",
  ])(conformance("SC-15", "the name of an application can be %s"), (name) => {
    expect(impersonatesInstance(name, [...INSTANCE, "localhost"])).toBe(false);
  });
});
