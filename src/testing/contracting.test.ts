import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import packageFile from "../../package.json";
import releases from "../../releases.json";
import { readMigrations } from "../kernel/db/migration-files.ts";
import { contractionsIn } from "./contracting.ts";

const RELEASES = Object.entries(releases);
const LAST = RELEASES.at(-1)?.[1];

/**
 * The migrations after the last release that are incompatible with the last release, each with the reason why
 * the incompatibility is acceptable. After a release, the list of incompatible migrations is empty.
 */
const ACCEPTED: Readonly<Record<string, string>> = {};

const laterMigrations = ["sqlite", "postgresql"].flatMap((provider) =>
  readMigrations(`prisma/${provider}/migrations`).filter(({ name }) => name > (LAST?.lastMigration ?? "")),
);

it("the last release can run on a database with all migrations that were added after this release", () => {
  const contracting = laterMigrations
    .filter(({ name }) => !(name in ACCEPTED))
    .flatMap(({ name, sql }) => contractionsIn(sql).map((contraction) => `${name} ${contraction}`));
  expect(contracting).toEqual([]);
  const names = laterMigrations.map(({ name }) => name);
  expect(Object.keys(ACCEPTED).filter((name) => !names.includes(name))).toEqual([]);
});

it("each release names an existing migration as its last migration, and has a section with its date in the changelog", () => {
  const changelog = readFileSync("CHANGELOG.md", "utf8");
  for (const [version, { date, lastMigration }] of RELEASES) {
    expect(existsSync(`prisma/postgresql/migrations/${lastMigration}`), lastMigration).toBe(true);
    expect(changelog).toContain(`\n## ${version} (${date})\n`);
  }
});

it("the version of the package is the last release or a later version", () => {
  const parts = (version: string) =>
    version
      .split(".")
      .map((part) => part.padStart(6, "0"))
      .join(".");
  const last = RELEASES.at(-1)?.[0] ?? "";
  expect(parts(packageFile.version) >= parts(last)).toBe(true);
});

it.each([
  ['ALTER TABLE "User" DROP COLUMN "name";', "drops a column"],
  ['DROP TABLE "User";', "drops a table"],
  ['ALTER TABLE "new_User" RENAME TO "User";', "renames a table or column"],
  ['ALTER TABLE "User" RENAME COLUMN "a" TO "b";', "renames a table or column"],
  ['ALTER TABLE "User" ALTER COLUMN "name" SET NOT NULL;', "requires a value in an existing column"],
  ['ALTER TABLE "User" ALTER COLUMN "id" SET DATA TYPE BIGINT;', "changes the type of a column"],
  [
    'ALTER TABLE "User" ADD COLUMN "a" INTEGER NOT NULL;',
    "adds a column without a default that requires a value",
  ],
  [
    'ALTER TABLE "User" ADD COLUMN "a" INTEGER NOT NULL DEFAULT 0,\nADD COLUMN "b" TEXT NOT NULL;',
    "adds a column without a default that requires a value",
  ],
])("the migration %s contracts the schema", (sql, contraction) => {
  expect(contractionsIn(sql)).toEqual([contraction]);
});

it.each([
  'CREATE TABLE "New" ("id" INTEGER NOT NULL);',
  'ALTER TABLE "User" ADD COLUMN "a" INTEGER NOT NULL DEFAULT 0;',
  'ALTER TABLE "User" ADD COLUMN "a" TEXT, ADD COLUMN "b" BOOLEAN NOT NULL DEFAULT false;',
  '-- DROP TABLE "User"\nCREATE INDEX "i" ON "User"("a");',
])("the migration %s only expands the schema", (sql) => {
  expect(contractionsIn(sql)).toEqual([]);
});
