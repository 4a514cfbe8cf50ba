// Writes rows of each kind that the API lists: `fill-lists.mjs URL [ROWS]`. By default, 100,000 rows of each
// kind are written. URL is the URL of a SQLite or PostgreSQL database. Reads the digests of tokens as JSON
// from standard input, and prints, as JSON, the ids of the rows that the measured requests read. The measured
// requests have four callers: root, ann, bob, and anonymous callers without a token. The user root is an
// administrator. The user ann is a member of the group and the project with the most rows, and owns most of
// the rows that have an owner. The user bob is a member of a few private projects.
import { json } from "node:stream/consumers";
import Sqlite from "better-sqlite3";
import pg from "pg";

const [url = "", rows = "100000"] = process.argv.slice(2);
const ROWS = Number(rows);
/** The maximum numbers of rows: tracked errors per project, events and comments per tracked error, client keys per project. */
const ERRORS = Math.min(10_000, ROWS / 10);
const EVENTS = 50;
const COMMENTS = 500;
const KEYS = 10;
const BOBS = 20;
/**
 * The time of the oldest row, in seconds since 1970. All rows are younger than twelve days, because older
 * rows could be pruned during the measurement.
 */
const BEGIN = Math.floor(Date.now() / 1_000) - 1_000_000;

/**
 * @typedef {{ run: (sql: string) => unknown, at: (seconds: string) => string, close: () => unknown, }}
 * Database `run` runs a statement and resolves to the rows. `at` returns the SQL expression for a time, given
 * in seconds after `BEGIN`.
 */

const tokens = /** @type {Record<string, string>} */ (await json(process.stdin));
const database = url.startsWith("file:") ? openSqlite(url.slice("file:".length)) : await openPostgresql(url);
const { run, at } = database;

/** Returns an SQL expression for a time that differs from row to row and does not increase with the id. */
const moment = at("i * 7919 % 1000000");
/**
 * @param {number} to
 * @param {number} [from]
 */
const numbers = (to, from = 1) =>
  `WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to})`;

/**
 * Inserts `count` rows. The value of each column is an SQL expression of `i`, the number of the row.
 * @param {string} table
 * @param {Readonly<Record<string, string>>} columns
 * @param {{ count?: number, from?: string, before?: string }} [rows]
 */
const insert = (table, columns, { count = ROWS, from = `n`, before = numbers(count) } = {}) => {
  const names = Object.keys(columns).map((name) => `"${name}"`);
  const sql = `INSERT INTO "${table}" (${names.join(", ")}) SELECT ${Object.values(columns).join(", ")} FROM ${from}`;
  // SQLite and PostgreSQL both accept the common table expression before the keyword INSERT.
  return run(`${before} ${sql}`);
};

/** @param {string} name SQL expression of the name. */
const user = (name) => ({
  ...{ username: name, usernameLower: name, email: `${name} || '@example.com'` },
  ...{ emailLower: `${name} || '@example.com'`, emailVerified: "true", passwordDigest: "'-'" },
});

await run("BEGIN");
/** @param {string} table */
const last = async (table) => {
  const rows = await run(`SELECT coalesce(max("id"), 0) AS id FROM "${table}"`);
  const [{ id }] = /** @type {[{ id: number }]} */ (rows);
  return id;
};
const users = await last("User");
const named = { name: "'Person ' || i", admin: "false", createdAt: moment };
await insert("User", {
  ...user("'person' || i"),
  ...named,
  state: "CASE WHEN i % 50 = 0 THEN 'blocked' ELSE 'active' END",
});
const single = { count: 1 };
for (const name of ["'ann'", "'bob'"])
  await insert("User", { ...user(name), ...named, name, state: "'active'" }, single);
const [ann, bob] = [users + ROWS + 1, users + ROWS + 2];
/** The SQL expression for the id of a user other than ann and bob. */
const somebody = `${users} + i`;

const [group, project] = [1, 1];
const visibility = "CASE i % 10 WHEN 0 THEN 'public' WHEN 1 THEN 'internal' ELSE 'private' END";
/**
 * @param {string} path
 * @param {string} full
 */
const place = (path, full) => ({
  ...{ name: path, path, fullPath: full, fullPathLower: full, description: "''" },
});
await insert(
  "Group",
  { id: "1", ...place("'top'", "'top'"), visibility: "'private'", createdAt: moment },
  single,
);
await insert("Group", {
  ...{ id: "i + 1", ...place("'group' || i", "'top/group' || i") },
  ...{ visibility, parentId: "1", createdAt: moment },
});
await insert("GroupAncestor", { groupId: "i", ancestorId: "1" }, { count: ROWS + 1 });
await insert("GroupAncestor", { groupId: "i + 1", ancestorId: "i + 1" });
await insert("Project", {
  ...{ id: "i", ...place("'project' || i", "'top/project' || i"), nameLower: "'project' || i" },
  ...{ visibility: `CASE WHEN i = 1 THEN 'private' ELSE ${visibility} END` },
  ...{ groupId: "1", topGroupId: "1" },
  ...{ creatorId: somebody, createdAt: moment, lastActivityAt: at("i * 6007 % 1000000") },
});
const member = { role: "CASE WHEN i % 100 = 0 THEN 40 ELSE 30 END", createdAt: moment };
const many = { ...member, userId: somebody };
await insert("GroupMember", { ...many, groupId: "1" });
await insert("ProjectMember", { ...many, projectId: "1" });
await insert("GroupMember", { ...member, role: "50", userId: `${ann}`, groupId: "1" }, single);
await insert("ProjectMember", { ...member, role: "40", userId: `${ann}`, projectId: "1" }, single);
await insert(
  "ProjectMember",
  { ...member, role: "40", userId: `${bob}`, projectId: `i * ${ROWS / 100} + 3` },
  { count: BOBS },
);

const token = { name: "'token ' || i", scopes: "'api'", createdAt: moment };
await insert("PersonalAccessToken", { ...token, digest: "'pat' || i", userId: `${ann}` });
for (const [name, id] of Object.entries({ root: 1, ann, bob }))
  await insert("PersonalAccessToken", { ...token, digest: `'${tokens[name]}'`, userId: `${id}` }, single);
const applications = await last("Application");
await insert("Application", {
  ...{ uid: "'uid' || i", name: "'Application ' || i", redirectUris: "'https://a.example/'" },
  ...{ scopes: "'api'", confidential: "true", trusted: "false", requiresPkce: "false" },
  // Users own a tenth of the applications, and administrators own the remaining applications.
  ...{ allowsPassword: "true", ownerId: `CASE WHEN i % 10 = 0 THEN ${ann} ELSE 1 END` },
  ...{ createdAt: moment, updatedAt: moment },
});
await insert("DeprecatedUse", {
  ...{ key: "'use' || i", name: "'geo_nodes'", count: "i", lastUsedAt: moment },
  ...{ userId: `CASE WHEN i % 2 = 0 THEN ${ann} ELSE ${somebody} END`, applicationId: `${applications} + i` },
});

await insert("Runner", {
  ...{ digest: "'runner' || i", description: "'Runner ' || i", accessLevel: "'not_protected'" },
  ...{ kind: "CASE i % 3 WHEN 0 THEN 'instance_type' WHEN 1 THEN 'group_type' ELSE 'project_type' END" },
  ...{ id: "i", paused: "i % 7 = 0", locked: "false", runUntagged: "true", createdAt: moment },
  ...{ groupId: "CASE WHEN i % 3 = 1 THEN 1 END", contactedAt: moment, version: "'17.' || i % 12" },
});
await insert(
  "RunnerProject",
  {
    ...{ runnerId: "i * 3 + 2", projectId: "CASE WHEN i % 2 = 0 THEN 1 ELSE i END" },
    ...{ groupId: "1", topGroupId: "1" },
  },
  { count: Math.floor(ROWS / 3) - 1 },
);
await insert("RunnerTag", { runnerId: "i", name: "CASE WHEN i % 100 = 0 THEN 'arm' ELSE 'linux' END" });
await insert("PublishedPackage", {
  ...{ id: "i", projectId: "1", type: "'generic'", name: "'package' || i % 50000" },
  ...{ nameLower: "'package' || i % 50000", version: "'1.' || i", createdAt: moment },
});
await insert("PublishedFile", {
  ...{ packageId: "1", name: "'file' || i", sizeBytes: "i", sha256: "''", key: "'key' || i" },
  ...{ createdAt: moment, updatedAt: moment },
});
await insert("ContainerRepository", { projectId: "1", path: "'top/project1/image' || i", createdAt: moment });

const error = {
  ...{ fingerprint: "'print' || i", name: "'Error ' || i", message: "'It broke'", culprit: "'main'" },
  ...{ platform: "'node'", level: "'error'", searchText: "'error ' || i || ' it broke main'" },
  ...{ status: "CASE WHEN i % 3 = 0 THEN 'resolved' ELSE 'unresolved' END", firstSeenAt: moment },
  ...{ lastSeenAt: moment, eventCount: "i * 7919 % 1000", userCount: "1" },
};
await insert("TrackedError", { ...error, id: "i", projectId: "1" }, { count: ERRORS });
const otherErrors = { count: ROWS, before: numbers(ROWS, ERRORS + 1) };
await insert("TrackedError", { ...error, id: "i", projectId: `1 + i / ${ERRORS}` }, otherErrors);
await insert("ErrorFacet", {
  ...{ errorId: "i", kind: "'environment'", eventCount: "1", firstSeenAt: moment, lastSeenAt: moment },
  value: "CASE WHEN i % 100 = 0 THEN 'staging' ELSE 'production' END",
});
await insert("ErrorEvent", {
  ...{ errorId: `1 + i / ${EVENTS}`, slot: `i % ${EVENTS}`, eventId: "'event' || i" },
  ...{ occurredAt: moment, receivedAt: moment, level: "'error'", environment: "'production'" },
  ...{ release: "'1'", payload: "'{}'" },
});
await insert("ErrorComment", {
  ...{ errorId: `1 + i / ${COMMENTS}`, authorId: "1 + i % 3", body: "'Comment ' || i", createdAt: moment },
});
await insert(
  "ErrorTrackingClientKey",
  { projectId: "1", publicKey: "'key' || i", active: "true", createdAt: moment },
  { count: KEYS },
);

const title = "CASE WHEN i % 10 = 0 THEN 'Draft: Change ' || i ELSE 'Change ' || i END";
const sha = "'0123456789012345678901234567890123456789'";
const version = { headSha: sha, baseSha: sha, startSha: sha, changesCount: "1", createdAt: moment };
const request = {
  ...{
    ...version,
    sourceBranch: "'topic' || i",
    targetBranch: "'main'",
    title,
    titleLower: `lower(${title})`,
  },
  ...{ description: "''", searchText: `lower(${title})`, draft: "i % 10 = 0", squash: "false" },
  ...{ state: "CASE i % 4 WHEN 0 THEN 'opened' WHEN 1 THEN 'closed' ELSE 'merged' END" },
  ...{ authorId: `CASE WHEN i % 3 = 0 THEN ${ann} ELSE ${somebody} END`, mergeUserId: somebody },
  ...{ removesSource: "false", updatedAt: at("i * 6007 % 1000000"), mergeability: "'clean'" },
  ...{ behind: "false", checkedSha: sha, mergedAt: `CASE WHEN i % 4 > 1 THEN ${moment} END` },
};
// Half of the merge requests are in the project with the most rows. Each of the other merge requests is in a
// separate project.
await insert("MergeRequest", {
  ...{ ...request, id: "i" },
  ...{
    projectId: "CASE WHEN i % 2 = 1 THEN 1 ELSE i END",
    iid: "CASE WHEN i % 2 = 1 THEN 1 + i / 2 ELSE 1 END",
    ...{ visibility: `CASE WHEN i % 2 = 1 THEN 'private' ELSE ${visibility} END` },
    ...{ groupId: "1", topGroupId: "1" },
  },
});
const of = { mergeRequestId: "i", userId: `CASE WHEN i % 5 = 0 THEN ${ann} ELSE ${somebody} END` };
for (const kind of ["'assignee'", "'reviewer'"]) await insert("MergeRequestPerson", { ...of, kind });
await insert("MergeRequestLabel", {
  mergeRequestId: "i",
  name: "CASE WHEN i % 1000 = 0 THEN 'rare' ELSE 'bug' END",
});
await insert("MergeRequestApproval", { ...of, headSha: sha, createdAt: moment });
await insert("MergeRequestVersion", { ...version, mergeRequestId: "3" });
await run("COMMIT");
await database.close();
process.stdout.write(JSON.stringify({ ann, bob, group, project }));

/**
 * @param {string} file
 * @returns {Database}
 */
function openSqlite(file) {
  const connection = new Sqlite(file, { fileMustExist: true, timeout: 5_000 });
  // A temporary database need not survive a power failure. The pragma `synchronous` applies only to the
  // connection of this program, not to the connections of the server.
  connection.pragma("synchronous = OFF");
  return {
    run: (sql) => {
      const statement = connection.prepare(sql);
      return statement.reader ? statement.all() : statement.run();
    },
    at: (seconds) => `strftime('%Y-%m-%dT%H:%M:%f+00:00', ${BEGIN} + ${seconds}, 'unixepoch')`,
    close: () => {
      connection.pragma("wal_checkpoint(TRUNCATE)");
      connection.close();
    },
  };
}

/**
 * @param {string} connectionString
 * @returns {Promise<Database>}
 */
async function openPostgresql(connectionString) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return {
    run: async (sql) => (await client.query(sql)).rows,
    at: (seconds) => `to_timestamp(${BEGIN} + ${seconds}) AT TIME ZONE 'UTC'`,
    close: async () => {
      // Without `VACUUM ANALYZE`, autovacuum would update the statistics only after minutes.
      await client.query("VACUUM ANALYZE");
      await client.end();
    },
  };
}
