-- CreateTable
CREATE TABLE "ClientSession" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "sid" TEXT NOT NULL,
    "applicationId" INTEGER NOT NULL,
    "sessionId" INTEGER NOT NULL,
    "userId" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "endsAt" DATETIME NOT NULL,
    "nextAttemptAt" DATETIME,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "finishedAt" DATETIME,
    "responseStatus" INTEGER,
    "lastError" TEXT,
    CONSTRAINT "ClientSession_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- AlterTable
ALTER TABLE "Application" ADD COLUMN "backchannelLogoutUri" TEXT;
ALTER TABLE "Application" ADD COLUMN "backchannelLogoutSessionRequired" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "AuthorizationCode" ADD COLUMN "sid" TEXT;
ALTER TABLE "AuthorizationCode" ADD COLUMN "offlineAccess" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "TokenFamily" ADD COLUMN "sid" TEXT;
ALTER TABLE "TokenFamily" ADD COLUMN "offlineAccess" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE UNIQUE INDEX "ClientSession_sid_key" ON "ClientSession"("sid");

-- CreateIndex
CREATE INDEX "ClientSession_userId_state_idx" ON "ClientSession"("userId", "state");

-- CreateIndex
CREATE INDEX "ClientSession_state_nextAttemptAt_idx" ON "ClientSession"("state", "nextAttemptAt");

-- CreateIndex
CREATE INDEX "ClientSession_applicationId_finishedAt_idx" ON "ClientSession"("applicationId", "finishedAt");

-- CreateIndex
CREATE INDEX "ClientSession_endsAt_idx" ON "ClientSession"("endsAt");

-- CreateIndex
CREATE UNIQUE INDEX "ClientSession_sessionId_applicationId_key" ON "ClientSession"("sessionId", "applicationId");
