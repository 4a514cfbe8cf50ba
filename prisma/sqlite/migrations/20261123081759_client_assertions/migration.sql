-- AlterTable
ALTER TABLE "Application" ADD COLUMN "authMethod" TEXT;
ALTER TABLE "Application" ADD COLUMN "jwks" TEXT;
ALTER TABLE "Application" ADD COLUMN "jwksUri" TEXT;

-- AlterTable
ALTER TABLE "ApplicationSecret" ADD COLUMN "sealed" TEXT;

-- CreateTable
CREATE TABLE "UsedJwt" (
    "digest" TEXT NOT NULL PRIMARY KEY,
    "expiresAt" DATETIME NOT NULL
);

-- CreateIndex
CREATE INDEX "UsedJwt_expiresAt_idx" ON "UsedJwt"("expiresAt");
