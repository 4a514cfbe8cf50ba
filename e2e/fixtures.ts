import { test as base } from "@playwright/test";
import { type Instance, type Options, startInstance } from "./instance.ts";
import { stopDatabaseServer } from "./postgresql.ts";

export type InstanceOptions = {
  /** Which database the instance of this project has. */
  database: NonNullable<Options["database"]>;
};

/** One running instance per worker; `page` has its address as base. */
export const test = base.extend<object, InstanceOptions & { instance: Instance }>({
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
});

export { expect } from "@playwright/test";
