import { integer, listOf, text, time } from "@/kernel/db/column-types";
import { postgresqlStatement, type RowOf } from "@/kernel/db/statement";
import { COUNT_MAX, ERRORS_MAX, EVENTS_KEPT, FACET_VALUES_MAX } from "./recorded-events";

/** Returns an SQL assignment that adds a number to a column, up to the maximum value of the column. */
const sum = (table: string, column: string, more: string): string =>
  `"${column}" = LEAST("${table}"."${column}"::bigint + ${more}, ${COUNT_MAX})::int`;

const integers = listOf(integer);
const texts = listOf(text);
const times = listOf(time);

/** Locks the projects until the end of the transaction, so that no project is deleted before the commit. */
export const LOCK_PROJECTS = postgresqlStatement({
  name: "record_projects",
  parameters: { projectIds: integers },
  columns: { id: [`"id"`, integer] },
  sql: (columns) =>
    `SELECT ${columns} FROM "Project" WHERE "id" = ANY(:projectIds::int[]) ORDER BY "id" FOR KEY SHARE`,
});

/** To prevent deadlocks, the statement locks tracked errors in the same order in all processes. */
export const FIND_ERRORS = postgresqlStatement({
  name: "record_known",
  parameters: { projectIds: integers, fingerprints: texts },
  columns: {
    id: [`e."id"`, integer],
    projectId: [`e."projectId"`, integer],
    fingerprint: [`e."fingerprint"`, text],
  },
  sql: (columns) => `
    SELECT ${columns}
    FROM "TrackedError" e
    JOIN unnest(:projectIds::int[], :fingerprints::text[]) AS n("projectId", "fingerprint")
      ON e."projectId" = n."projectId" AND e."fingerprint" = n."fingerprint"
    ORDER BY e."projectId", e."fingerprint" FOR NO KEY UPDATE OF e`,
});

export const COUNT_ROOM = postgresqlStatement({
  name: "record_room",
  parameters: { projectIds: integers },
  columns: {
    projectId: ["p.id", integer],
    errors: [
      `${ERRORS_MAX} - (SELECT COUNT(*)
        FROM (SELECT 1 FROM "TrackedError" e WHERE e."projectId" = p.id LIMIT ${ERRORS_MAX}) AS "errors")::int`,
      integer,
    ],
  },
  sql: (columns) => `SELECT ${columns} FROM unnest(:projectIds::int[]) AS p(id)`,
});

/**
 * The columns that a statement returns for a stored tracked error.
 * @param table the alias of the table `TrackedError` in the statement.
 */
const errorColumns = (table: string) =>
  ({
    projectId: [`${table}."projectId"`, integer],
    fingerprint: [`${table}."fingerprint"`, text],
    id: [`${table}."id"`, integer],
    nextSlot: [`${table}."nextSlot"`, integer],
    userCount: [`${table}."userCount"`, integer],
    eventCount: [`${table}."eventCount"`, integer],
  }) as const;

/** A tracked error after its counts were updated. */
export type ErrorRow = RowOf<ReturnType<typeof errorColumns>>;

// A resolved tracked error that occurs again becomes unresolved; an ignored tracked error stays ignored.
export const COUNT_ERRORS = postgresqlStatement({
  name: "record_count_errors",
  parameters: { ids: integers, counts: integers, lastAts: times },
  columns: errorColumns("e"),
  sql: (columns) => `
    UPDATE "TrackedError" e SET
      ${sum("e", "eventCount", `n."count"`)},
      "nextSlot" = (e."nextSlot" + n."count") % ${EVENTS_KEPT},
      "lastSeenAt" = GREATEST(e."lastSeenAt", n."lastAt"),
      "statusChangedAt" = CASE e."status" WHEN 'resolved' THEN n."lastAt" ELSE e."statusChangedAt" END,
      "regressedAt" = CASE e."status" WHEN 'resolved' THEN n."lastAt" ELSE e."regressedAt" END,
      "status" = CASE e."status" WHEN 'resolved' THEN 'unresolved' ELSE e."status" END
    FROM unnest(:ids::int[], :counts::int[], :lastAts::timestamp[]) AS n("id", "count", "lastAt")
    WHERE e."id" = n."id"
    RETURNING ${columns}`,
});

/**
 * Adds tracked errors. The statement handles conflicts, because another process may have added the same
 * tracked error since `FIND_ERRORS` ran.
 */
export const ADD_ERRORS = postgresqlStatement({
  name: "record_add_errors",
  parameters: {
    projectIds: integers,
    fingerprints: texts,
    names: texts,
    messages: texts,
    culprits: texts,
    platforms: texts,
    levels: texts,
    searchTexts: texts,
    firstAts: times,
    lastAts: times,
    counts: integers,
  },
  columns: errorColumns(`"TrackedError"`),
  sql: (columns) => `
    INSERT INTO "TrackedError" ("projectId", "fingerprint", "name", "message", "culprit", "platform", "level",
      "searchText", "firstSeenAt", "lastSeenAt", "eventCount", "nextSlot", "status", "userCount")
    SELECT n."projectId", n."fingerprint", n."name", n."message", n."culprit", n."platform", n."level",
      n."searchText", n."firstAt", n."lastAt", n."count", n."count" % ${EVENTS_KEPT}, 'unresolved', 0
    FROM unnest(:projectIds::int[], :fingerprints::text[], :names::text[], :messages::text[], :culprits::text[],
      :platforms::text[], :levels::text[], :searchTexts::text[], :firstAts::timestamp[], :lastAts::timestamp[],
      :counts::int[])
      AS n("projectId", "fingerprint", "name", "message", "culprit", "platform", "level", "searchText",
        "firstAt", "lastAt", "count")
    ORDER BY n."projectId", n."fingerprint"
    ON CONFLICT ("projectId", "fingerprint") DO UPDATE SET
      ${sum("TrackedError", "eventCount", `excluded."eventCount"`)},
      "nextSlot" = ("TrackedError"."nextSlot" + excluded."eventCount") % ${EVENTS_KEPT},
      "lastSeenAt" = GREATEST("TrackedError"."lastSeenAt", excluded."lastSeenAt")
    RETURNING ${columns}`,
});

/**
 * Returns the number of stored bytes in the given slots of the ring buffers, by tracked error. PostgreSQL
 * computes `octet_length` without reading the text.
 */
export const BYTES_IN = postgresqlStatement({
  name: "record_bytes_in",
  parameters: { errorIds: integers, slots: integers },
  columns: { errorId: [`v."errorId"`, integer], bytes: [`SUM(octet_length(v."payload"))::int`, integer] },
  sql: (columns) => `
    SELECT ${columns}
    FROM unnest(:errorIds::int[], :slots::int[]) AS n("errorId", "slot")
    JOIN "ErrorEvent" v ON v."errorId" = n."errorId" AND v."slot" = n."slot"
    GROUP BY v."errorId"`,
});

export const PUT_EVENTS = postgresqlStatement({
  name: "record_put_events",
  parameters: {
    errorIds: integers,
    slots: integers,
    eventIds: texts,
    occurredAts: times,
    receivedAts: times,
    levels: texts,
    environments: texts,
    releases: texts,
    payloads: texts,
  },
  columns: {},
  sql: () => `
    INSERT INTO "ErrorEvent" ("errorId", "slot", "eventId", "occurredAt", "receivedAt", "level", "environment",
      "release", "payload")
    SELECT * FROM unnest(:errorIds::int[], :slots::int[], :eventIds::text[], :occurredAts::timestamp[],
      :receivedAts::timestamp[], :levels::text[], :environments::text[], :releases::text[], :payloads::text[])
    ON CONFLICT ("errorId", "slot") DO UPDATE SET
      "eventId" = excluded."eventId", "occurredAt" = excluded."occurredAt", "receivedAt" = excluded."receivedAt",
      "level" = excluded."level", "environment" = excluded."environment", "release" = excluded."release",
      "payload" = excluded."payload"`,
});

export const COUNT_FACETS = postgresqlStatement({
  name: "record_count_facets",
  parameters: { errorIds: integers, kinds: texts, values: texts, counts: integers, ats: times },
  columns: {},
  sql: () => `
    INSERT INTO "ErrorFacet" ("errorId", "kind", "value", "eventCount", "firstSeenAt", "lastSeenAt")
    SELECT f."errorId", f."kind", f."value", f."count", f."at", f."at"
    FROM (
      SELECT k.*, k."stored" + ROW_NUMBER() OVER (PARTITION BY k."errorId", k."kind", k."known") AS place
      FROM (
        SELECT n.*,
          EXISTS (SELECT 1 FROM "ErrorFacet" o WHERE o."errorId" = n."errorId" AND o."kind" = n."kind"
            AND o."value" = n."value") AS "known",
          (SELECT COUNT(*) FROM "ErrorFacet" o WHERE o."errorId" = n."errorId" AND o."kind" = n."kind") AS "stored"
        FROM unnest(:errorIds::int[], :kinds::text[], :values::text[], :counts::int[], :ats::timestamp[])
          AS n("errorId", "kind", "value", "count", "at")
      ) AS k
    ) AS f
    WHERE f."known" OR f."place" <= ${FACET_VALUES_MAX}
    ON CONFLICT ("errorId", "kind", "value") DO UPDATE SET
      ${sum("ErrorFacet", "eventCount", `excluded."eventCount"`)}, "lastSeenAt" = excluded."lastSeenAt"`,
});

export const COUNT_HOURS = postgresqlStatement({
  name: "record_count_hours",
  parameters: { errorIds: integers, hours: times, counts: integers },
  columns: {},
  sql: () => `
    INSERT INTO "ErrorHour" ("errorId", "hour", "eventCount")
    SELECT * FROM unnest(:errorIds::int[], :hours::timestamp[], :counts::int[])
    ON CONFLICT ("errorId", "hour") DO UPDATE SET ${sum("ErrorHour", "eventCount", `excluded."eventCount"`)}`,
});

export const ADD_USERS = postgresqlStatement({
  name: "record_add_users",
  parameters: { errorIds: integers, digests: texts },
  columns: {},
  sql: () => `
    WITH added AS (
      INSERT INTO "ErrorUser" ("errorId", "digest") SELECT * FROM unnest(:errorIds::int[], :digests::text[])
      ON CONFLICT DO NOTHING RETURNING "errorId"
    )
    UPDATE "TrackedError" e SET "userCount" = e."userCount" + n."count"
    FROM (SELECT "errorId", COUNT(*)::int AS "count" FROM added GROUP BY "errorId") AS n
    WHERE e."id" = n."errorId"`,
});

export const COUNT_INGEST = postgresqlStatement({
  name: "record_count_ingest",
  parameters: { projectIds: integers, hours: times, outcomes: texts, categories: texts, counts: integers },
  columns: {},
  sql: () => `
    INSERT INTO "ErrorIngest" ("projectId", "hour", "outcome", "category", "count")
    SELECT n."projectId", n."hour", n."outcome", n."category", n."count"
    FROM unnest(:projectIds::int[], :hours::timestamp[], :outcomes::text[], :categories::text[], :counts::int[])
      AS n("projectId", "hour", "outcome", "category", "count")
    ORDER BY n."projectId", n."hour", n."outcome", n."category"
    ON CONFLICT ("projectId", "hour", "outcome", "category") DO UPDATE SET
      ${sum("ErrorIngest", "count", `excluded."count"`)}`,
});

/** To prevent deadlocks, the statement locks settings in the same order in all processes. */
export const CHANGE_STORED = postgresqlStatement({
  name: "record_change_stored",
  parameters: { projectIds: integers, bytes: integers },
  columns: {
    projectId: [`s."projectId"`, integer],
    storedBytes: [`s."storedBytes"::float8`, integer],
  },
  sql: (columns) => `
    WITH locked AS (
      SELECT "projectId" FROM "ErrorTrackingSetting" WHERE "projectId" = ANY(:projectIds::int[])
      ORDER BY "projectId" FOR NO KEY UPDATE
    )
    UPDATE "ErrorTrackingSetting" s SET "storedBytes" = GREATEST(s."storedBytes" + n."bytes", 0)
    FROM locked JOIN unnest(:projectIds::int[], :bytes::bigint[]) AS n("projectId", "bytes") USING ("projectId")
    WHERE s."projectId" = locked."projectId"
    RETURNING ${columns}`,
});

/**
 * Removes events until `:bytes` bytes are free. The events of the tracked errors that have not occurred for
 * the longest time are removed first.
 */
export const REMOVE_OLDEST = postgresqlStatement({
  name: "record_remove_oldest",
  parameters: { projectId: integer, bytes: integer },
  columns: {
    events: ["COUNT(*)::int", integer],
    bytes: [`COALESCE(SUM("bytes"), 0)::float8`, integer],
  },
  sql: (columns) => `
    WITH sizes AS (
      SELECT e."id", e."lastSeenAt", SUM(octet_length(v."payload")) AS "bytes"
      FROM "TrackedError" e JOIN "ErrorEvent" v ON v."errorId" = e."id"
      WHERE e."projectId" = :projectId::int GROUP BY e."id"
    ), oldest AS (
      SELECT "id", SUM("bytes") OVER (ORDER BY "lastSeenAt", "id") - "bytes" AS "before" FROM sizes
    ), removed AS (
      DELETE FROM "ErrorEvent" v USING oldest o WHERE v."errorId" = o."id" AND o."before" < :bytes::bigint
      RETURNING octet_length(v."payload") AS "bytes"
    )
    SELECT ${columns} FROM removed`,
});
