import { expect, it } from "vitest";
import { openTestDeps } from "@/testing/deps.ts";
import { insertUser } from "@/testing/rows.ts";
import { whileUncommitted } from "@/testing/transactions.ts";
import { put, remove } from "./avatar-store.ts";
import { lock } from "./store.ts";

const deps = await openTestDeps();

it("the upload of an avatar during the removal of the avatar causes no deadlock", async () => {
  const { id } = await insertUser(deps.db, "ann");
  const avatarOf = (digest: string) => ({ digest, png: new Uint8Array([1]), createdAt: deps.clock() });
  await put(deps.db, id, avatarOf("a"));
  await whileUncommitted(
    deps,
    async ({ db }) => {
      await lock(db, id);
      return () => remove(db, id);
    },
    () => deps.transaction(({ db }) => put(db, id, avatarOf("b"))),
  );
  expect(await deps.db.user.findUnique({ where: { id } })).toMatchObject({ avatarDigest: "b" });
  expect(await deps.db.userAvatar.count()).toBe(1);
});
