-- AlterTable
ALTER TABLE "AuditEvent" ADD COLUMN "byCommandLine" BOOLEAN NOT NULL DEFAULT false;

-- Events whose details said so.
UPDATE "AuditEvent" SET "byCommandLine" = true
WHERE "name" IN ('token.revoked', 'two_factor.disabled') AND "details" LIKE '%"by":"operator"%';
