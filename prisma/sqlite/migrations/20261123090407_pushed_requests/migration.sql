-- CreateTable
CREATE TABLE "PushedRequest" (
    "digest" TEXT NOT NULL PRIMARY KEY,
    "applicationId" INTEGER NOT NULL,
    "sealedQuery" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "openedAt" DATETIME,
    "usedAt" DATETIME,
    CONSTRAINT "PushedRequest_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- AlterTable
ALTER TABLE "Application" ADD COLUMN "requiresPushedRequests" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE INDEX "PushedRequest_applicationId_idx" ON "PushedRequest"("applicationId");

-- CreateIndex
CREATE INDEX "PushedRequest_expiresAt_idx" ON "PushedRequest"("expiresAt");
