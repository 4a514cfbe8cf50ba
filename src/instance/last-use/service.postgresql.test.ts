import { expect, it } from "vitest";
import { openTestDeps } from "@/testing/deps.ts";
import { insertUser } from "@/testing/rows.ts";
import { enqueueGrantUse, writeLastUses } from "./service.ts";

const deps = await openTestDeps();

it("writing the last-used times of tokens does not wait for a concurrent revocation of a grant", async () => {
  const { id: userId } = await insertUser(deps.db, "ann");
  const grant = { userId, applicationId: null, grantType: "password", scopes: "api", rotations: 0 };
  const insert = () => deps.db.tokenFamily.create({ data: { ...grant, createdAt: deps.clock() } });
  const [revoked, other] = [await insert(), await insert()];
  await deps.transaction(async ({ db }) => {
    await db.tokenFamily.update({ where: { id: revoked.id }, data: { revokedAt: deps.clock() } });
    for (const { id } of [revoked, other])
      enqueueGrantUse(deps, { familyId: id, applicationId: null, lastUsedAt: null }, () => ({
        ipAddress: "203.0.113.7",
        userAgent: "",
      }));
    await writeLastUses(deps);
  });
  const rows = await deps.db.tokenFamily.findMany({ orderBy: { id: "asc" } });
  expect(rows.map(({ lastAddress }) => lastAddress)).toEqual(["", "203.0.113.7"]);
});
