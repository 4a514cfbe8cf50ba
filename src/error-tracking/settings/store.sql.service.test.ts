import { describe, expect, it } from "vitest";
import { openTestDatabase } from "@/testing/database.ts";
import { findByPublicKey, findSettings } from "./store.sql.ts";

const { db, prepared } = await openTestDatabase();
const NOON = new Date("2026-11-21T12:30:00.123Z");
const names = { name: "p", nameLower: "p", path: "p", fullPath: "p", fullPathLower: "p" };
const project = { ...names, description: "", visibility: "private", createdAt: NOON, lastActivityAt: NOON };
const { id: projectId } = await db.project.create({ data: project });

describe("a client key", () => {
  it("the query for a client key returns the project of the key, and whether the project stores tracked errors", async () => {
    const publicKey = `glet_${projectId}`;
    const key = await db.errorTrackingClientKey.create({
      data: { projectId, publicKey, active: true, createdAt: NOON },
    });
    const clientKey = { keyId: key.id, projectId, active: true, collects: false };
    expect(await findByPublicKey(prepared, publicKey)).toEqual(clientKey);
    const setting = { projectId, active: true, integrated: true, updatedAt: NOON };
    await db.errorTrackingSetting.create({ data: setting });
    expect(await findByPublicKey(prepared, publicKey)).toEqual({ ...clientKey, collects: true });
    await db.errorTrackingSetting.update({ where: { projectId }, data: { integrated: false } });
    await db.errorTrackingClientKey.update({ where: { id: key.id }, data: { active: false } });
    expect(await findByPublicKey(prepared, publicKey)).toEqual({ ...clientKey, active: false });
    expect(await findByPublicKey(prepared, "glet_unknown")).toBeNull();
  });
});

it("the error tracking settings contain a number of stored bytes that exceeds 32 bits", async () => {
  const apiUrl = "https://errors.example.com/api/0/projects/a/b";
  const remote = { apiUrl, projectName: null, sealedToken: "sealed" };
  const setting = { active: false, integrated: true, ...remote, storedBytes: 5_000_000_000, updatedAt: NOON };
  const { id } = await db.project.create({
    data: { ...project, path: "q", fullPath: "q", fullPathLower: "q" },
  });
  expect(await findSettings(prepared, id)).toBeNull();
  await db.errorTrackingSetting.create({ data: { projectId: id, ...setting } });
  expect(await findSettings(prepared, id)).toEqual({
    ...{ active: false, integrated: true, apiUrl, projectName: null },
    ...{ hasToken: true, storedBytes: 5_000_000_000 },
  });
});
