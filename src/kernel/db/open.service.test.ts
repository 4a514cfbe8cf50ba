import { describe, expect, it } from "vitest";
import { openTestDatabase } from "@/testing/database.ts";
import { insertUser } from "@/testing/rows.ts";
import { isUniqueViolation } from "./errors.ts";

const { db, transaction } = await openTestDatabase();

const claim = async (id: number) =>
  transaction(async (inside) => {
    const { count } = await inside.user.updateMany({
      where: { id, state: "active" },
      data: { state: "blocked" },
    });
    return count;
  });

describe("a database", () => {
  it("only one of twenty concurrent conditional updates succeeds", async () => {
    const { id } = await insertUser(db, "contested");
    const counts = await Promise.all(Array.from({ length: 20 }, () => claim(id)));
    expect(counts.reduce((sum, count) => sum + count)).toBe(1);
  });

  it("the database reports the violation of a unique constraint as P2002", async () => {
    await insertUser(db, "unique");
    const refusal = await insertUser(db, "Unique").catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "P2002" });
    expect(isUniqueViolation(refusal)).toBe(true);
  });

  it("a transaction that throws is rolled back, and the error is rethrown", async () => {
    const thrown = new Error("no");
    const attempt = transaction(async (inside) => {
      await insertUser(inside, "rolled-back");
      throw thrown;
    });
    await expect(attempt).rejects.toBe(thrown);
    expect(await db.user.count({ where: { username: "rolled-back" } })).toBe(0);
  });

  it("the database returns a stored time unchanged", async () => {
    const { id, createdAt } = await insertUser(db, "punctual");
    expect(createdAt.toISOString()).toBe("2026-11-21T11:00:00.000Z");
    expect((await db.user.findUniqueOrThrow({ where: { id } })).createdAt).toEqual(createdAt);
    expect(
      await db.user.count({ where: { id, createdAt: { lt: new Date("2026-11-21T11:00:00.001Z") } } }),
    ).toBe(1);
    expect(await db.user.count({ where: { id, createdAt: { lt: createdAt } } })).toBe(0);
  });
});
