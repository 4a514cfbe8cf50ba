import type { Instance } from "../instance.ts";
import { type Registered, register } from "../oauth/fixtures.ts";
import { apiOf, makeProjects } from "./project-world.ts";

/** A name without line break opportunities, which ends with right-to-left text. */
export const LONG_NAME = `${"Überlanger-Name-ohne-Pause".repeat(6)} مرحبا`;

/** The name of an application that a group owns. */
export const OF_GROUP = `Wiki-${"Überlang".repeat(13)} مرحبا`;

export const PASSWORD = "a long password";

export const CALLBACK = "https://deploy.acme.example/callback";

/** An instance with users and applications, some of which have names that are hard to lay out. */
export type World = Readonly<{
  instance: Instance;
  deploy: Registered;
  cli: Registered;
  awkward: Registered;
}>;

export async function makeWorld(instance: Instance): Promise<World> {
  await user(instance, "ann", "Ann Ng");
  await user(instance, "mia", "Mia Åström-Öçalan");
  const owned = ["--owner", "ann", "--scopes"] as const;
  const scopes = "openid profile email read_user read_repository write_repository api";
  await register(
    instance,
    "--name",
    "Wiki",
    "--redirect-uri",
    "https://wiki.acme.example/auth",
    ...owned,
    "openid email",
  );
  const cli = await register(
    instance,
    "--name",
    "Acme CLI",
    "--public",
    "--redirect-uri",
    "http://127.0.0.1/callback",
    ...owned,
    "api read_user",
  );
  const awkward = await register(
    instance,
    "--name",
    LONG_NAME,
    "--redirect-uri",
    `https://${"a".repeat(60)}.example/${"path".repeat(30)}`,
    ...owned,
    scopes,
  );
  const deploy = await register(
    instance,
    "--name",
    "Acme Deploy",
    "--redirect-uri",
    CALLBACK,
    ...owned,
    scopes,
  );
  await instance.cli("feature", "enable", "oauth2_device_grant_flow");
  const token = ["--user", "mia", "--name", "Backup of the wiki", "--scopes", "read_api read_repository"];
  await instance.cli("token", "create", ...token);
  await grantByPassword(instance, deploy);
  await makeProjects(instance);
  await makeSites(instance);
  return { instance, deploy, cli, awkward };
}

/** Creates a Geo site and a webhook of the instance. */
async function makeSites(instance: Instance): Promise<void> {
  const call = await apiOf(instance, "root");
  await call("POST", "/geo_sites", { name: OF_GROUP, url: "https://geo.acme.example/" });
  await call("POST", "/hooks", { url: "https://hooks.acme.example/", name: OF_GROUP });
}

/** Requests a token for the user Mia with the password grant of an application. */
async function grantByPassword(instance: Instance, client: Registered): Promise<void> {
  const form = { grant_type: "password", username: "mia", password: PASSWORD, scope: "read_user" };
  const response = await fetch(`${instance.baseUrl}/oauth/token`, {
    method: "POST",
    headers: { "user-agent": "acme-deploy/4.2 (Linux)" },
    body: new URLSearchParams({ ...form, ...client }),
  });
  if (!response.ok) throw new Error(await response.text());
}

async function user(instance: Instance, username: string, name: string): Promise<void> {
  const fields = ["--username", username, "--name", name, "--email", `${username}@example.com`];
  const { code, stderr } = await instance.cli("user", "create", ...fields, "--password", PASSWORD);
  if (code !== 0) throw new Error(stderr);
}
