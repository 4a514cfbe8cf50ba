import { describe, expect, it } from "vitest";
import { openTestDeps } from "@/testing/deps.ts";
import { insertUser } from "@/testing/rows.ts";

const deps = await openTestDeps();
const countUsers = (username: string) => deps.db.user.count({ where: { username } });

describe("a transaction of the dependencies", () => {
  it("the function that a transaction runs receives the dependencies of the caller and the database of the transaction", async () => {
    const clock = () => new Date(0);
    await { ...deps, clock }.transaction(async (within) => {
      expect(within.db).not.toBe(deps.db);
      expect(within.clock).toBe(clock);
    });
  });

  it("an error in the outer transaction rolls back the writes of a nested transaction", async () => {
    const thrown = new Error("no");
    const attempt = deps.transaction(async (within) => {
      await within.transaction(({ db }) => insertUser(db, "ann"));
      expect(await within.db.user.count({ where: { username: "ann" } })).toBe(1);
      throw thrown;
    });
    await expect(attempt).rejects.toBe(thrown);
    expect(await countUsers("ann")).toBe(0);
  });

  it("a nested transaction uses the database of the outer transaction, even with other dependencies", async () => {
    const clock = () => new Date(0);
    await deps.transaction(async (outer) => {
      await { ...outer, clock }.transaction(async (middle) => {
        expect(middle.clock).toBe(clock);
        await middle.transaction(async (inner) => {
          expect(inner.db).toBe(outer.db);
          await insertUser(inner.db, "bob");
        });
      });
    });
    expect(await countUsers("bob")).toBe(1);
  });
});
