import { COUNT_MAX, ERRORS_MAX, EVENTS_KEPT, FACET_VALUES_MAX } from "./recorded-events.ts";

/** Adds without leaving what the column can hold. */
const sum = (table: string, column: string, more: string): string =>
  `"${column}" = LEAST("${table}"."${column}"::bigint + ${more}, ${COUNT_MAX})::int`;

/** PostgreSQL's statements for recording events, a row for each place of the lists that they get. */
export const STATEMENTS = {
  /** Held until the end, so that no project goes away meanwhile. */
  projects: `SELECT "id" FROM "Project" WHERE "id" = ANY($1::int[]) ORDER BY "id" FOR KEY SHARE`,
  /** Locked in one order by all processes, so that none waits for another in a circle. */
  known: `
    SELECT e."id", e."projectId", e."fingerprint"
    FROM "TrackedError" e
    JOIN unnest($1::int[], $2::text[]) AS n("projectId", "fingerprint")
      ON e."projectId" = n."projectId" AND e."fingerprint" = n."fingerprint"
    ORDER BY e."projectId", e."fingerprint" FOR NO KEY UPDATE OF e`,
  room: `
    SELECT p.id, ${ERRORS_MAX} - (SELECT COUNT(*)
      FROM (SELECT 1 FROM "TrackedError" e WHERE e."projectId" = p.id LIMIT ${ERRORS_MAX}) AS "errors")::int
    FROM unnest($1::int[]) AS p(id)`,
  // A resolved error that comes back is open again; an ignored one stays ignored.
  countErrors: `
    UPDATE "TrackedError" e SET
      ${sum("e", "eventCount", `n."count"`)},
      "nextSlot" = (e."nextSlot" + n."count") % ${EVENTS_KEPT},
      "lastSeenAt" = GREATEST(e."lastSeenAt", n."lastAt"),
      "statusChangedAt" = CASE e."status" WHEN 'resolved' THEN n."lastAt" ELSE e."statusChangedAt" END,
      "status" = CASE e."status" WHEN 'resolved' THEN 'unresolved' ELSE e."status" END
    FROM unnest($1::int[], $2::int[], $3::timestamp[]) AS n("id", "count", "lastAt")
    WHERE e."id" = n."id"
    RETURNING e."projectId", e."fingerprint", e."id", e."nextSlot", e."userCount", e."eventCount"`,
  /** Another process may have added the same one since it was looked for. */
  addErrors: `
    INSERT INTO "TrackedError" ("projectId", "fingerprint", "name", "message", "culprit", "platform", "level",
      "searchText", "firstSeenAt", "lastSeenAt", "eventCount", "nextSlot", "status", "userCount")
    SELECT n."projectId", n."fingerprint", n."name", n."message", n."culprit", n."platform", n."level",
      n."searchText", n."firstAt", n."lastAt", n."count", n."count" % ${EVENTS_KEPT}, 'unresolved', 0
    FROM unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
      $9::timestamp[], $10::timestamp[], $11::int[])
      AS n("projectId", "fingerprint", "name", "message", "culprit", "platform", "level", "searchText",
        "firstAt", "lastAt", "count")
    ORDER BY n."projectId", n."fingerprint"
    ON CONFLICT ("projectId", "fingerprint") DO UPDATE SET
      ${sum("TrackedError", "eventCount", `excluded."eventCount"`)},
      "nextSlot" = ("TrackedError"."nextSlot" + excluded."eventCount") % ${EVENTS_KEPT},
      "lastSeenAt" = GREATEST("TrackedError"."lastSeenAt", excluded."lastSeenAt")
    RETURNING "projectId", "fingerprint", "id", "nextSlot", "userCount", "eventCount"`,
  /** The length of a text is known without reading it. */
  bytesIn: `
    SELECT v."errorId", SUM(octet_length(v."payload"))::int
    FROM unnest($1::int[], $2::int[]) AS n("errorId", "slot")
    JOIN "ErrorEvent" v ON v."errorId" = n."errorId" AND v."slot" = n."slot"
    GROUP BY v."errorId"`,
  putEvents: `
    INSERT INTO "ErrorEvent" ("errorId", "slot", "eventId", "occurredAt", "receivedAt", "level", "environment",
      "release", "payload")
    SELECT * FROM unnest($1::int[], $2::int[], $3::text[], $4::timestamp[], $5::timestamp[], $6::text[],
      $7::text[], $8::text[], $9::text[])
    ON CONFLICT ("errorId", "slot") DO UPDATE SET
      "eventId" = excluded."eventId", "occurredAt" = excluded."occurredAt", "receivedAt" = excluded."receivedAt",
      "level" = excluded."level", "environment" = excluded."environment", "release" = excluded."release",
      "payload" = excluded."payload"`,
  countFacets: `
    INSERT INTO "ErrorFacet" ("errorId", "kind", "value", "eventCount", "firstSeenAt", "lastSeenAt")
    SELECT f."errorId", f."kind", f."value", f."count", f."at", f."at"
    FROM (
      SELECT k.*, k."stored" + ROW_NUMBER() OVER (PARTITION BY k."errorId", k."kind", k."known") AS place
      FROM (
        SELECT n.*,
          EXISTS (SELECT 1 FROM "ErrorFacet" o WHERE o."errorId" = n."errorId" AND o."kind" = n."kind"
            AND o."value" = n."value") AS "known",
          (SELECT COUNT(*) FROM "ErrorFacet" o WHERE o."errorId" = n."errorId" AND o."kind" = n."kind") AS "stored"
        FROM unnest($1::int[], $2::text[], $3::text[], $4::int[], $5::timestamp[])
          AS n("errorId", "kind", "value", "count", "at")
      ) AS k
    ) AS f
    WHERE f."known" OR f."place" <= ${FACET_VALUES_MAX}
    ON CONFLICT ("errorId", "kind", "value") DO UPDATE SET
      ${sum("ErrorFacet", "eventCount", `excluded."eventCount"`)}, "lastSeenAt" = excluded."lastSeenAt"`,
  countHours: `
    INSERT INTO "ErrorHour" ("errorId", "hour", "eventCount")
    SELECT * FROM unnest($1::int[], $2::timestamp[], $3::int[])
    ON CONFLICT ("errorId", "hour") DO UPDATE SET ${sum("ErrorHour", "eventCount", `excluded."eventCount"`)}`,
  addUsers: `
    WITH added AS (
      INSERT INTO "ErrorUser" ("errorId", "digest") SELECT * FROM unnest($1::int[], $2::text[])
      ON CONFLICT DO NOTHING RETURNING "errorId"
    )
    UPDATE "TrackedError" e SET "userCount" = e."userCount" + n."count"
    FROM (SELECT "errorId", COUNT(*)::int AS "count" FROM added GROUP BY "errorId") AS n
    WHERE e."id" = n."errorId"`,
  countIngest: `
    INSERT INTO "ErrorIngest" ("projectId", "hour", "outcome", "category", "count")
    SELECT n."projectId", n."hour", n."outcome", n."category", n."count"
    FROM unnest($1::int[], $2::timestamp[], $3::text[], $4::text[], $5::int[])
      AS n("projectId", "hour", "outcome", "category", "count")
    ORDER BY n."projectId", n."hour", n."outcome", n."category"
    ON CONFLICT ("projectId", "hour", "outcome", "category") DO UPDATE SET
      ${sum("ErrorIngest", "count", `excluded."count"`)}`,
  /** Locked in one order by all processes. */
  changeStored: `
    WITH locked AS (
      SELECT "projectId" FROM "ErrorTrackingSetting" WHERE "projectId" = ANY($1::int[])
      ORDER BY "projectId" FOR NO KEY UPDATE
    )
    UPDATE "ErrorTrackingSetting" s SET "storedBytes" = GREATEST(s."storedBytes" + n."bytes", 0)
    FROM locked JOIN unnest($1::int[], $2::bigint[]) AS n("projectId", "bytes") USING ("projectId")
    WHERE s."projectId" = locked."projectId"
    RETURNING s."projectId", s."storedBytes"::float8`,
  /** The events of the errors that were not seen for the longest time, until so many bytes are free. */
  removeOldest: `
    WITH sizes AS (
      SELECT e."id", e."lastSeenAt", SUM(octet_length(v."payload")) AS "bytes"
      FROM "TrackedError" e JOIN "ErrorEvent" v ON v."errorId" = e."id"
      WHERE e."projectId" = $1::int GROUP BY e."id"
    ), oldest AS (
      SELECT "id", SUM("bytes") OVER (ORDER BY "lastSeenAt", "id") - "bytes" AS "before" FROM sizes
    ), removed AS (
      DELETE FROM "ErrorEvent" v USING oldest o WHERE v."errorId" = o."id" AND o."before" < $2::bigint
      RETURNING octet_length(v."payload") AS "bytes"
    )
    SELECT COUNT(*)::int, COALESCE(SUM("bytes"), 0)::float8 FROM removed`,
} as const satisfies Record<string, string>;
