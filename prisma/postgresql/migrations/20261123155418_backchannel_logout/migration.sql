-- AlterTable
ALTER TABLE "Application" ADD COLUMN     "backchannelLogoutSessionRequired" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "backchannelLogoutUri" TEXT;

-- AlterTable
ALTER TABLE "AuthorizationCode" ADD COLUMN     "offlineAccess" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "sid" TEXT;

-- AlterTable
ALTER TABLE "TokenFamily" ADD COLUMN     "offlineAccess" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "sid" TEXT;

-- CreateTable
CREATE TABLE "ClientSession" (
    "id" SERIAL NOT NULL,
    "sid" TEXT NOT NULL,
    "applicationId" INTEGER NOT NULL,
    "sessionId" INTEGER NOT NULL,
    "userId" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "endsAt" TIMESTAMP(3) NOT NULL,
    "nextAttemptAt" TIMESTAMP(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "finishedAt" TIMESTAMP(3),
    "responseStatus" INTEGER,
    "lastError" TEXT,

    CONSTRAINT "ClientSession_pkey" PRIMARY KEY ("id")
);

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

-- AddForeignKey
ALTER TABLE "ClientSession" ADD CONSTRAINT "ClientSession_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application"("id") ON DELETE CASCADE ON UPDATE CASCADE;
