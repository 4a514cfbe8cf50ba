import { test as base } from "@playwright/test";
import { type Instance, type Options, startInstance } from "./instance.ts";
import { type ClientSite, openClientSite } from "./oauth/client-site.ts";
import { stopDatabaseServer } from "./postgresql.ts";

export type InstanceOptions = {
  /** The kind of database that the instances of this Playwright project use. */
  database: NonNullable<Options["database"]>;
};

export type Registered = Readonly<{ client_id: string; client_secret?: string }>;
export type Confidential = Required<Registered>;

/** A confidential and a public application, which share one client site. */
export type Clients = Readonly<{ site: ClientSite; confidential: Registered; publicClient: Registered }>;

type Shared = InstanceOptions & {
  /**
   * The instance, which all spec files of a worker share. A spec file that changes settings of the instance
   * must restore the settings.
   */
  instance: Instance;
  clients: Clients;
  /** Clients as in `clients`, but with the scopes of OpenID Connect and the API. */
  applications: Clients & { confidential: Confidential };
};

/**
 * The `test` function of all specs. A worker fixture is set up when a test first uses it. Playwright ends a
 * worker, with its browser and its instance, before it runs a file with other worker fixtures. Other files
 * should therefore extend this `test` function only with test fixtures.
 */
export const test = base.extend<object, Shared>({
  database: ["sqlite", { option: true, scope: "worker" }],
  instance: [
    async ({ database }, use) => {
      const instance = await startInstance({ database });
      await use(instance);
      await instance.stop();
      await stopDatabaseServer();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ instance }, use) => {
    await use(instance.baseUrl);
  },
  clients: [
    async ({ instance }, use) => {
      const site = await openClientSite();
      const common = ["--redirect-uri", site.redirectUri, "--scopes", "api read_user", "--owner", "root"];
      const confidential = await register(instance, "--name", "Acme Deploy", ...common);
      const publicClient = await register(instance, "--name", "Acme CLI", "--public", ...common);
      await use({ site, confidential, publicClient });
      await site.close();
    },
    { scope: "worker" },
  ],
  applications: [
    async ({ instance }, use) => {
      const site = await openClientSite();
      const common = ["--redirect-uri", site.redirectUri, "--scopes", "openid profile email read_user api"];
      const [confidential, publicClient] = await Promise.all([
        registerConfidential(instance, "--name", "Acme Portal", ...common),
        register(instance, "--name", "Acme Terminal", "--owner", "root", "--public", ...common),
      ]);
      await use({ site, confidential, publicClient });
      await site.close();
    },
    { scope: "worker" },
  ],
});

export { expect } from "@playwright/test";

/** Registers an application with the command line. */
export async function register(instance: Instance, ...args: readonly string[]): Promise<Registered> {
  const { code, stdout, stderr } = await instance.cli("application", "create", ...args, "--json");
  if (code !== 0) throw new Error(stderr);
  const { client_id, client_secret } = JSON.parse(stdout);
  return client_secret === undefined ? { client_id } : { client_id, client_secret };
}

/** Registers a confidential application. */
export async function registerConfidential(
  instance: Instance,
  ...args: readonly string[]
): Promise<Confidential> {
  const { client_id, client_secret } = await register(instance, "--owner", "root", ...args);
  if (client_secret === undefined) throw new Error("The application has no secret.");
  return { client_id, client_secret };
}
