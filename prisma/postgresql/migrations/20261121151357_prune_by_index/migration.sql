-- DropIndex
DROP INDEX "OauthToken_expiresAt_idx";

-- AlterTable
ALTER TABLE "OauthToken" ADD COLUMN     "endsAt" TIMESTAMP(3);

-- Of the access token where there is no refresh token, or where that ends first. Null when either lasts for ever.
UPDATE "OauthToken" SET "endsAt" =
  CASE WHEN "refreshDigest" IS NULL OR "refreshExpiresAt" < "expiresAt" THEN "expiresAt" ELSE "refreshExpiresAt" END
  WHERE "expiresAt" IS NOT NULL;

-- CreateIndex
CREATE INDEX "OauthToken_endsAt_idx" ON "OauthToken"("endsAt");

-- CreateIndex
CREATE INDEX "Session_expiresAt_idx" ON "Session"("expiresAt");

-- CreateIndex
CREATE INDEX "Session_endedAt_idx" ON "Session"("endedAt");
