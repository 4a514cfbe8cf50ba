import { expect, it } from "vitest";
import { openTestDeps } from "@/testing/deps.ts";
import { insertUser } from "@/testing/rows.ts";
import { whileUncommitted } from "@/testing/transactions.ts";
import { optionalMailKinds } from "./catalog.ts";
import { listOptOuts, setWantedMails } from "./opt-outs.ts";

const deps = await openTestDeps();

it("the last of two simultaneous forms determines which e-mails a user gets", async () => {
  const { id } = await insertUser(deps.db, "ann");
  const [wanted, ...others] = optionalMailKinds();
  await whileUncommitted(
    deps,
    (within) => setWantedMails(within, id, []),
    () => setWantedMails(deps, id, [String(wanted)]),
  );
  expect((await listOptOuts(deps, id)).toSorted()).toEqual(others.toSorted());
});
