-- AlterTable
ALTER TABLE "PersonalAccessToken" ADD COLUMN "familyId" INTEGER;

-- CreateIndex
CREATE INDEX "PersonalAccessToken_familyId_revokedAt_idx" ON "PersonalAccessToken"("familyId", "revokedAt");
