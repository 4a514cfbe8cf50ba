-- AlterTable
ALTER TABLE "Passkey" ADD COLUMN     "userHandle" TEXT;

-- CreateTable
CREATE TABLE "SecretRotation" (
    "id" SERIAL NOT NULL,
    "previousCheck" TEXT NOT NULL,
    "check" TEXT NOT NULL,
    "startedAt" TIMESTAMP(3) NOT NULL,
    "switchedAt" TIMESTAMP(3),
    "retiredAt" TIMESTAMP(3),
    "refusedBy" TEXT,
    "sealedSessionKey" TEXT,
    "sealedAuditKey" TEXT,
    "auditUpTo" INTEGER,
    "sessionsUntil" TIMESTAMP(3),

    CONSTRAINT "SecretRotation_pkey" PRIMARY KEY ("id")
);
