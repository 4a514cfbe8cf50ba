// Writes tokens of one application into a SQLite database: `fill.mjs FILE CLIENT_ID COUNT`. Prints, as JSON,
// at most ten thousand access tokens, which are distributed evenly over the stored tokens.
import { createHash, randomBytes } from "node:crypto";
import Sqlite from "better-sqlite3";

const [file = "", clientId = "", text = ""] = process.argv.slice(2);
const count = Number(text);

const CHUNKS = Math.ceil(count / 50_000);
const KNOWN_MAX = 10_000;
const WITHIN_MS = 120_000 * Math.max(1, count / 1_000_000);

const database = new Sqlite(file, { fileMustExist: true, timeout: 5_000 });
// A temporary database need not survive a power failure. The pragma `synchronous` applies only to the
// connection of this program, not to the connections of the server.
database.pragma("synchronous = OFF");
database.pragma("foreign_keys = OFF");
database.pragma("cache_size = -524288");

const { id: applicationId, ownerId: userId } = /** @type {{ id: number, ownerId: number }} */ (
  database.prepare(`SELECT "id", "ownerId" FROM "Application" WHERE "uid" = ?`).get(clientId)
);

/**
 * Most token digests are random, because the benchmark uses only a few of the stored tokens. Each token
 * belongs to a separate token family.
 */
const insertFamilies = database.prepare(`
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :rows)
  INSERT INTO "TokenFamily" ("applicationId", "userId", "grantType", "scopes", "redirectUri", "createdAt", "rotations")
  SELECT :applicationId, :userId, 'authorization_code', 'read_user', 'http://127.0.0.1:9/callback', :createdAt, 0 FROM n`);
const insertTokens = database.prepare(`
  INSERT INTO "OauthToken" ("familyId", "accessDigest", "refreshDigest", "applicationId", "userId", "scopes",
                            "createdAt", "expiresAt")
  SELECT "id", lower(hex(randomblob(32))), lower(hex(randomblob(32))), "applicationId", "userId", "scopes",
         "createdAt", :expiresAt
  FROM "TokenFamily" WHERE "id" > :after`);
const setDigest = database.prepare(`UPDATE "OauthToken" SET "accessDigest" = :digest WHERE "id" = :id`);
const lastId = database.prepare(`SELECT coalesce(max("id"), 0) FROM "OauthToken"`).pluck();

const startedAt = Date.now();
const iso = (/** @type {number} */ milliseconds) =>
  new Date(milliseconds).toISOString().replace("Z", "+00:00");
/** @type {string[]} */
const storedTokens = [];

/**
 * Inserts a chunk of tokens and their token families. The program prints the tokens of some of the inserted
 * rows. Each token has the same id as its token family, because the tables of tokens and of token families
 * were empty before.
 */
const insertChunk = database.transaction((/** @type {number} */ chunk) => {
  const share = (/** @type {number} */ total) =>
    Math.floor((total * (chunk + 1)) / CHUNKS) - Math.floor((total * chunk) / CHUNKS);
  const [rows, knownRows] = [share(count), share(Math.min(count, KNOWN_MAX))];
  const [createdAt, expiresAt] = [iso(startedAt - 1_000 * chunk), iso(startedAt + 86_400_000)];
  const after = Number(lastId.get());
  insertFamilies.run({ rows, applicationId, userId, createdAt });
  insertTokens.run({ after, expiresAt });
  for (let index = 0; index < knownRows; index += 1) {
    const token = `ghat_${randomBytes(32).toString("base64url")}`;
    const id = after + 1 + Math.floor((index * rows) / knownRows);
    setDigest.run({ id, digest: createHash("sha256").update(token).digest("hex") });
    storedTokens.push(token);
  }
});

for (let chunk = 0; chunk < CHUNKS; chunk += 1) {
  insertChunk(chunk);
  if (Date.now() - startedAt > WITHIN_MS) throw new Error(`Writing ${count} tokens takes too long.`);
}
database.pragma("wal_checkpoint(TRUNCATE)");
database.close();
process.stdout.write(JSON.stringify(storedTokens));
