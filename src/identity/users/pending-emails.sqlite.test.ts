import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";

const FOLDER = join("prisma", "sqlite", "migrations");

it(conformance("SC-11", "the migration marks unconfirmed e-mail addresses as pending"), () => {
  const db = new Database(":memory:");
  const names = readdirSync(FOLDER).filter((name) => /^\d/.test(name));
  const apply = (name: string) => db.exec(readFileSync(join(FOLDER, name, "migration.sql"), "utf8"));
  const at = names.findIndex((name) => name.endsWith("_pending_emails"));
  names.slice(0, at).forEach(apply);
  const insert = db.prepare(
    `INSERT INTO "User" ("username", "usernameLower", "email", "emailLower", "emailVerified", "name",
      "passwordDigest", "admin", "state", "createdAt") VALUES (?, ?, ?, ?, ?, '', '', 0, 'active', ?)`,
  );
  const createdAt = "2026-11-21T12:00:00.000+00:00";
  insert.run("ann", "ann", "Ann@example.com", "ann@example.com", 1, createdAt);
  insert.run("eve", "eve", "Eve@example.com", "eve@example.com", 0, createdAt);
  apply(names[at] ?? "");
  const columns = `"email", "emailLower", "emailVerified", "pendingEmail", "pendingEmailAt"`;
  expect(db.prepare(`SELECT ${columns} FROM "User" ORDER BY "id"`).raw().all()).toEqual([
    ["Ann@example.com", "ann@example.com", 1, null, null],
    [
      "unconfirmed-2@users.noreply.invalid",
      "unconfirmed-2@users.noreply.invalid",
      0,
      "Eve@example.com",
      createdAt,
    ],
  ]);
  db.close();
});
