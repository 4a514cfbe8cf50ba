import { expect, it } from "vitest";
import { openTestDeps } from "@/testing/deps.ts";
import { whileUncommitted } from "@/testing/transactions.ts";
import { changeSettings, readSettings } from "./service.ts";

const deps = await openTestDeps();

it("two administrators who save the same settings in different orders cause no deadlock", async () => {
  const change = (value: string) => ({ refresh_reuse_leeway: value, code_reuse_leeway: value });
  await whileUncommitted(
    deps,
    async (within) => {
      await changeSettings(within, { code_reuse_leeway: "20" });
      return () => changeSettings(within, { refresh_reuse_leeway: "20" });
    },
    () => changeSettings(deps, change("30")),
  );
  expect(await readSettings(deps)).toMatchObject({ refresh_reuse_leeway: 30, code_reuse_leeway: 30 });
});
