-- AlterTable
ALTER TABLE "ErrorTrackingSetting" ADD COLUMN     "storedBytes" BIGINT NOT NULL DEFAULT 0;

-- The length of a text is known without reading it.
UPDATE "ErrorTrackingSetting" SET "storedBytes" = (
    SELECT COALESCE(SUM(octet_length(v."payload")), 0)
    FROM "TrackedError" e JOIN "ErrorEvent" v ON v."errorId" = e."id"
    WHERE e."projectId" = "ErrorTrackingSetting"."projectId"
);
