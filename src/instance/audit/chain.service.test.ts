import { afterEach, describe, expect, it } from "vitest";
import { openDatabase } from "@/kernel/db/open.ts";
import { depsOf } from "@/kernel/deps/deps.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDatabase } from "@/testing/database.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { chainExistingEvents, pruneEvents } from "./chain.ts";
import { completeChain, record } from "./service.ts";
import { verifyChain } from "./verification.ts";

const { config: database, ...opened } = await openTestDatabase();
const deps = await openTestDeps(depsOf(opened));

afterEach(async () => {
  await deps.db.auditEvent.deleteMany();
  await deps.db.auditChain.deleteMany();
});

const recordMany = async (count: number): Promise<number[]> => {
  for (let user = 1; user <= count; user++) {
    deps.advance(1);
    await record(deps, "session.ended", { count: user }, { userId: user });
  }
  return (await deps.db.auditEvent.findMany({ orderBy: { id: "asc" } })).map(({ id }) => id);
};

describe("the chain of audit events", () => {
  it(
    conformance(
      "SC-60",
      "audit events form one hash chain when several processes record events simultaneously",
    ),
    async () => {
      const other = await openDatabase(database);
      const processes = [deps, { ...deps, ...depsOf(other) }];
      const inTransaction = processes.flatMap((each) =>
        Array.from({ length: 15 }, (_, count) =>
          each.transaction(async (within) => {
            await record(within, "session.ended", { count }, {});
            await record(within, "keys.rotated", { kid: "k" }, {});
          }),
        ),
      );
      const alone = processes.flatMap((each) =>
        Array.from({ length: 15 }, (_, count) => record(each, "session.ended", { count }, {})),
      );
      await Promise.all([...inTransaction, ...alone]);
      await other.close();
      expect(await verifyChain(deps)).toMatchObject({ isIntact: true, events: 90 });
      const links = await deps.db.auditEvent.findMany({ select: { previousDigest: true } });
      expect(new Set(links.map(({ previousDigest }) => previousDigest)).size).toBe(90);
    },
  );

  it("the hash chain contains no audit event of a transaction that was rolled back", async () => {
    await recordMany(1);
    const failed = deps.transaction(async (within) => {
      await record(within, "session.ended", { count: 1 }, {});
      throw new Error("rolled back");
    });
    await expect(failed).rejects.toThrow("rolled back");
    await recordMany(1);
    expect(await verifyChain(deps)).toMatchObject({ isIntact: true, events: 2 });
  });

  it(conformance("SC-60", "a changed audit event breaks the hash chain"), async () => {
    const ids = await recordMany(4);
    await deps.db.auditEvent.update({ where: { id: ids[1] ?? 0 }, data: { userId: 9 } });
    const event = { id: ids[1], name: "session.ended", because: "changed" };
    expect(await verifyChain(deps)).toMatchObject({ isIntact: false, events: 1, event });
  });

  it(conformance("SC-60", "a removed audit event breaks the hash chain"), async () => {
    const ids = await recordMany(4);
    await deps.db.auditEvent.delete({ where: { id: ids[1] ?? 0 } });
    const event = { id: ids[2], because: "not_linked" };
    expect(await verifyChain(deps)).toMatchObject({ isIntact: false, event });
  });

  it(conformance("SC-60", "inserted, copied and reordered audit events break the hash chain"), async () => {
    const ids = await recordMany(4);
    const rows = await deps.db.auditEvent.findMany({ orderBy: { id: "asc" } });
    const [first, second, third] = rows;
    if (first === undefined || second === undefined || third === undefined) throw new Error("No events.");
    const { id: _, ...copy } = second;
    const { id: inserted } = await deps.db.auditEvent.create({ data: { ...copy, digest: null } });
    expect(await verifyChain(deps)).toMatchObject({ event: { id: inserted, because: "not_in_chain" } });
    await deps.db.auditEvent.update({ where: { id: inserted }, data: copy });
    expect(await verifyChain(deps)).toMatchObject({ event: { id: inserted, because: "not_linked" } });
    await deps.db.auditEvent.delete({ where: { id: inserted } });
    expect(await verifyChain(deps)).toMatchObject({ isIntact: true });
    const { id: _third, ...later } = third;
    await deps.db.auditEvent.update({ where: { id: second.id }, data: later });
    await deps.db.auditEvent.update({ where: { id: third.id }, data: copy });
    expect(await verifyChain(deps)).toMatchObject({ event: { id: ids[1], because: "not_linked" } });
  });

  it(
    conformance(
      "SC-60",
      "the hash chain is broken if the first or last audit events are missing, even if the stored ends of the chain were changed too",
    ),
    async () => {
      const ids = await recordMany(4);
      const intact = await verifyChain(deps);
      const rows = await deps.db.auditEvent.findMany({ orderBy: { id: "asc" } });
      await deps.db.auditEvent.delete({ where: { id: ids[3] ?? 0 } });
      expect(await verifyChain(deps)).toEqual({ isIntact: false, events: 3, event: null });
      const headDigest = rows[2]?.digest ?? "";
      await deps.db.auditChain.updateMany({ data: { headDigest } });
      expect(await verifyChain(deps)).toMatchObject({ isIntact: false, event: null });
      await deps.db.auditChain.updateMany({ data: { headDigest: rows[3]?.digest ?? "" } });
      await deps.db.auditEvent.delete({ where: { id: ids[0] ?? 0 } });
      expect(await verifyChain(deps)).toMatchObject({ event: { id: ids[1], because: "not_linked" } });
      await deps.db.auditChain.updateMany({ data: { anchorDigest: rows[0]?.digest ?? "" } });
      expect(await verifyChain(deps)).toMatchObject({ isIntact: false, event: null });
      expect(intact).toMatchObject({ isIntact: true, headDigest: rows[3]?.digest });
    },
  );

  it(
    conformance(
      "SC-60",
      "a hash chain whose stored ends were changed stays broken when further audit events are recorded and pruned",
    ),
    async () => {
      const ids = await recordMany(4);
      const rows = await deps.db.auditEvent.findMany({ orderBy: { id: "asc" } });
      const headDigest = rows[2]?.digest ?? "";
      await deps.db.auditEvent.delete({ where: { id: ids[3] ?? 0 } });
      const broken = { isIntact: false, events: 0, event: null };
      await deps.db.auditChain.updateMany({ data: { headDigest, signature: "" } });
      expect(await verifyChain(deps)).toEqual(broken);
      await recordMany(1);
      expect(await verifyChain(deps)).toEqual(broken);
      expect(await pruneEvents(deps, deps.clock(), 1)).toBe(1);
      expect(await verifyChain(deps)).toEqual(broken);
      await deps.db.auditChain.deleteMany();
      expect(await verifyChain(deps)).toEqual(broken);
      await recordMany(1);
      expect(await verifyChain(deps)).toEqual(broken);
    },
  );

  it(
    conformance("SC-60", "a hash chain with a copied audit event stays broken when the event is pruned"),
    async () => {
      await recordMany(4);
      const [first, second] = await deps.db.auditEvent.findMany({ orderBy: { id: "asc" } });
      if (first === undefined || second === undefined) throw new Error("No events.");
      await deps.db.auditEvent.update({ where: { id: first.id }, data: { digest: second.digest } });
      await deps.db.auditEvent.delete({ where: { id: second.id } });
      expect(await pruneEvents(deps, second.at, 1)).toBe(1);
      expect(await verifyChain(deps)).toEqual({ isIntact: false, events: 0, event: null });
    },
  );

  it("the verification reports a digest that is missing in the hash chain of a restored database", async () => {
    await recordMany(2);
    expect(await verifyChain(deps, "unknown")).toMatchObject({ isIntact: true, includesEarlier: false });
    const { digest } = await deps.db.auditEvent.findFirstOrThrow();
    expect(await verifyChain(deps, digest ?? "")).toMatchObject({ includesEarlier: true });
  });

  it(
    conformance("SC-60", "the hash chain stays verifiable after the oldest audit events were pruned"),
    async () => {
      await recordMany(6);
      const { at } = await deps.db.auditEvent.findFirstOrThrow({ where: { userId: 4 } });
      expect(await pruneEvents(deps, at, 2)).toBe(2);
      expect(await pruneEvents(deps, at, 2)).toBe(1);
      expect(await pruneEvents(deps, at, 2)).toBe(0);
      expect(await verifyChain(deps)).toMatchObject({ isIntact: true, events: 3 });
      await pruneEvents(deps, new Date("2100-01-01T00:00:00.000Z"), 100);
      expect(await verifyChain(deps)).toMatchObject({ isIntact: true, events: 0 });
      await recordMany(1);
      expect(await verifyChain(deps)).toMatchObject({ isIntact: true, events: 1 });
    },
  );

  it(
    conformance(
      "SC-60",
      "the start of the instance adds the audit events of an earlier version to the hash chain",
    ),
    async () => {
      const at = deps.clock();
      const old = (userId: number) => ({ name: "sign_in.failed", at, userId, details: "{}" });
      await deps.db.auditEvent.createMany({ data: Array.from({ length: 1_203 }, (_, user) => old(user)) });
      const other = await openDatabase(database);
      await Promise.all([completeChain(deps), completeChain({ ...deps, ...depsOf(other) })]);
      await other.close();
      const marks = await deps.db.auditEvent.count({ where: { name: "audit_trail.chained" } });
      expect(marks).toBeGreaterThan(0);
      expect(await verifyChain(deps)).toMatchObject({ isIntact: true, events: 1_203 + marks });
      expect(await chainExistingEvents(deps)).toBe(0);
    },
  );
});
