import Sqlite from "better-sqlite3";

const HOUR_MS = 3_600_000;
const DAYS = 30;

/**
 * Returns the start time of each hour of the last 30 days, oldest first, and the share of users who are
 * active in the hour (from 0 to 1). Few users are active at night and on weekends.
 * @param {Date} now
 */
export function hoursOf(now) {
  const last = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
  return Array.from({ length: DAYS * 24 }, (_, at) => {
    const hour = new Date(last - (DAYS * 24 - 1 - at) * HOUR_MS);
    const daylight = Math.max(0, Math.sin(((hour.getUTCHours() - 6) / 14) * Math.PI));
    const weekend = hour.getUTCDay() % 6 === 0 ? 0.25 : 1;
    // The variation of the activity is a fixed sequence instead of random numbers, so that every run of the
    // demo shows the same curve.
    const variation = 0.7 + 0.3 * Math.sin(at * 12.9898);
    return { hour, activity: (0.08 + daylight) * weekend * variation };
  });
}

/**
 * The count of each usage statistic in an hour with full activity, by the name of the statistic in the
 * catalog.
 */
const COUNTS = {
  "sign_in.succeeded": 40,
  "sign_in.failed": 3,
  "authorization.granted": 30,
  "token.issued": 30,
  "token.refreshed": 90,
  "request.failed": 2,
};

/** Returns a time in the format in which the database stores times. @param {Date} at */
const stored = (at) => at.toISOString().replace("Z", "+00:00");

/**
 * Spreads the events of each tracked error over the last 30 days, because the demo reports all events within
 * a minute.
 * @param {import("better-sqlite3").Database} database
 * @param {Date} now
 */
function spreadEvents(database, now) {
  const hours = hoursOf(now);
  const sum = hours.reduce((total, { activity }) => total + activity, 0);
  const add = database.prepare(`INSERT INTO "ErrorHour" ("errorId", "hour", "eventCount") VALUES (?, ?, ?)`);
  const setTimes = (/** @type {string} */ table, /** @type {string} */ id) =>
    database.prepare(`UPDATE "${table}" SET "firstSeenAt" = ?, "lastSeenAt" = ? WHERE "${id}" = ?`);
  const times = [setTimes("TrackedError", "id"), setTimes("ErrorFacet", "errorId")];
  const errors = /** @type {{ id: number, eventCount: number }[]} */ (
    database.prepare(`SELECT "id", "eventCount" FROM "TrackedError"`).all()
  );
  database.exec(`DELETE FROM "ErrorHour"`);
  for (const { id, eventCount } of errors) {
    let [active, written] = [0, 0];
    const hoursWithEvents = hours.flatMap(({ hour, activity }) => {
      active += activity;
      const count = Math.round((active / sum) * eventCount) - written;
      if (count === 0) return [];
      written += count;
      add.run(id, stored(hour), count);
      return [hour];
    });
    const [first, last] = [hoursWithEvents[0] ?? now, hoursWithEvents.at(-1) ?? now];
    for (const statement of times) statement.run(stored(first), stored(last), id);
  }
}

/**
 * Writes the hourly counts of 30 days into the database of the demo, because the server counts only the
 * current hour.
 * @param {string} file the SQLite database of a running server.
 * @param {{ clientIds: readonly string[], now: Date }} `clientIds` are the applications, the most used
 * application first.
 */
export function writeHistory(file, { clientIds, now }) {
  const database = new Sqlite(file, { fileMustExist: true, timeout: 5_000 });
  const count =
    database.prepare(`INSERT INTO "HourlyCount" ("name", "application", "hour", "count") VALUES (?, ?, ?, ?)
    ON CONFLICT ("name", "application", "hour") DO UPDATE SET "count" = "count" + excluded."count"`);
  const received =
    database.prepare(`INSERT INTO "ErrorIngest" ("projectId", "hour", "outcome", "category", "count")
    VALUES (?, ?, 'accepted', 'error', ?)`);
  const events = database.prepare(`SELECT e."projectId", h."hour", sum(h."eventCount") AS "count"
    FROM "ErrorHour" h JOIN "TrackedError" e ON e."id" = h."errorId" GROUP BY e."projectId", h."hour"`);
  database.transaction(() => {
    for (const { hour, activity } of hoursOf(now))
      for (const [name, most] of Object.entries(COUNTS)) {
        const total = Math.round(most * activity);
        if (total === 0) continue;
        count.run(name, "", stored(hour), total);
        if (name.startsWith("sign_in")) continue;
        clientIds.forEach((clientId, at) => {
          const share = Math.round(total / (at + 2));
          if (share > 0) count.run(name, clientId, stored(hour), share);
        });
      }
    spreadEvents(database, now);
    const rows = /** @type {{ projectId: number, hour: string, count: number }[]} */ (events.all());
    database.exec(`DELETE FROM "ErrorIngest" WHERE "category" = 'error'`);
    for (const { projectId, hour, count: accepted } of rows) received.run(projectId, hour, accepted);
  })();
  database.close();
}
