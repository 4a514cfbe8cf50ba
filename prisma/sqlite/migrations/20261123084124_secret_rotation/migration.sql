-- AlterTable
ALTER TABLE "Passkey" ADD COLUMN "userHandle" TEXT;

-- CreateTable
CREATE TABLE "SecretRotation" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "previousCheck" TEXT NOT NULL,
    "check" TEXT NOT NULL,
    "startedAt" DATETIME NOT NULL,
    "switchedAt" DATETIME,
    "retiredAt" DATETIME,
    "refusedBy" TEXT,
    "sealedSessionKey" TEXT,
    "sealedAuditKey" TEXT,
    "auditUpTo" INTEGER,
    "sessionsUntil" DATETIME
);
