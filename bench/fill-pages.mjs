// Writes users, applications and grants into a SQLite database: `fill-pages.mjs FILE`.
// A tenth of the applications and a hundredth of the grants belong to the user with the id 1, whose pages are measured.
import Sqlite from "better-sqlite3";

const USERS = 1_000;
const APPLICATIONS = 10_000;
const GRANTS = 100_000;

const [file = ""] = process.argv.slice(2);
const database = new Sqlite(file, { fileMustExist: true, timeout: 5_000 });
// A temporary database need not survive a power failure. The pragma `synchronous` applies only to the
// connection of this program, not to the connections of the server.
database.pragma("synchronous = OFF");

const now = new Date().toISOString().replace("Z", "+00:00");
const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)`;

database.transaction(() => {
  database
    .prepare(`${numbers} INSERT INTO "User" ("username", "usernameLower", "email", "emailLower", "emailVerified", "name",
        "passwordDigest", "admin", "state", "createdAt")
      SELECT 'person' || i, 'person' || i, i || '@example.com', i || '@example.com', 1, 'Person ' || i, '-', 0, 'active', ?
      FROM n`)
    .run(USERS, now);
  database
    .prepare(`${numbers} INSERT INTO "Application" ("uid", "name", "redirectUris", "scopes", "confidential", "trusted",
        "requiresPkce", "allowsPassword", "ownerId", "createdAt", "updatedAt")
      SELECT lower(hex(randomblob(32))), 'Application ' || i, 'https://app' || i || '.example/callback', 'read_user api',
        1, 0, 0, 1, CASE WHEN i % 10 = 0 THEN 1 ELSE 2 + i % ${USERS - 1} END, ?, ?
      FROM n`)
    .run(APPLICATIONS, now, now);
  const userId = `CASE WHEN i % 100 = 0 THEN 1 ELSE 2 + i % ${USERS - 1} END`;
  database
    .prepare(`${numbers} INSERT INTO "TokenFamily" ("applicationId", "userId", "grantType", "scopes", "redirectUri",
        "createdAt", "rotations", "lastUsedAt", "lastAddress", "lastUserAgent")
      SELECT 1 + i % ${APPLICATIONS}, ${userId}, 'authorization_code', 'read_user', 'https://app.example/callback', ?, 0, ?,
        '203.0.113.7', 'Mozilla/5.0 (X11; Linux) Firefox/140.0'
      FROM n`)
    .run(GRANTS, now, now);
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString().replace("Z", "+00:00");
  database
    .prepare(`INSERT INTO "OauthToken" ("familyId", "accessDigest", "refreshDigest", "applicationId", "userId", "scopes",
        "createdAt", "expiresAt")
      SELECT "id", lower(hex(randomblob(32))), lower(hex(randomblob(32))), "applicationId", "userId", "scopes",
        "createdAt", ? FROM "TokenFamily"`)
    .run(expiresAt);
  database
    .prepare(`INSERT OR IGNORE INTO "Consent" ("applicationId", "userId", "scopes", "createdAt", "updatedAt")
      SELECT "applicationId", "userId", 'read_user', "createdAt", "createdAt" FROM "TokenFamily"`)
    .run();
})();
database.pragma("wal_checkpoint(TRUNCATE)");
database.close();
