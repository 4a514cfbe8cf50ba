-- AlterTable
ALTER TABLE "Application" ADD COLUMN "blockedAt" DATETIME;
ALTER TABLE "Application" ADD COLUMN "lastUsedAt" DATETIME;

-- CreateTable
CREATE TABLE "ApplicationLogo" (
    "applicationId" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "png" BLOB NOT NULL,
    "digest" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "ApplicationLogo_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "FailedExchange" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "applicationId" INTEGER NOT NULL,
    "endpoint" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "at" DATETIME NOT NULL,
    CONSTRAINT "FailedExchange_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "TotpSecret" (
    "userId" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "sealedSecret" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "lastStep" INTEGER NOT NULL,
    CONSTRAINT "TotpSecret_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "RecoveryCode" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "userId" INTEGER NOT NULL,
    "digest" TEXT NOT NULL,
    "usedAt" DATETIME,
    CONSTRAINT "RecoveryCode_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Passkey" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "userId" INTEGER NOT NULL,
    "credentialId" TEXT NOT NULL,
    "publicKey" BLOB NOT NULL,
    "counter" INTEGER NOT NULL,
    "transports" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "lastUsedAt" DATETIME,
    CONSTRAINT "Passkey_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- AlterTable
ALTER TABLE "ApplicationSecret" ADD COLUMN "ending" TEXT NOT NULL DEFAULT '';
ALTER TABLE "ApplicationSecret" ADD COLUMN "lastUsedAt" DATETIME;

-- AlterTable
ALTER TABLE "Session" ADD COLUMN "provenAt" DATETIME;
ALTER TABLE "Session" ADD COLUMN "address" TEXT NOT NULL DEFAULT '';
ALTER TABLE "Session" ADD COLUMN "userAgent" TEXT NOT NULL DEFAULT '';
ALTER TABLE "Session" ADD COLUMN "lastSeenAt" DATETIME;

-- AlterTable
ALTER TABLE "TokenFamily" ADD COLUMN "lastUsedAt" DATETIME;
ALTER TABLE "TokenFamily" ADD COLUMN "lastAddress" TEXT NOT NULL DEFAULT '';
ALTER TABLE "TokenFamily" ADD COLUMN "lastUserAgent" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "User" ADD COLUMN "twoFactorAskedAt" DATETIME;
ALTER TABLE "User" ADD COLUMN "privateProfile" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE INDEX "FailedExchange_applicationId_id_idx" ON "FailedExchange"("applicationId", "id");

-- CreateIndex
CREATE INDEX "FailedExchange_at_idx" ON "FailedExchange"("at");

-- CreateIndex
CREATE UNIQUE INDEX "RecoveryCode_userId_digest_key" ON "RecoveryCode"("userId", "digest");

-- CreateIndex
CREATE UNIQUE INDEX "Passkey_credentialId_key" ON "Passkey"("credentialId");

-- CreateIndex
CREATE INDEX "Passkey_userId_idx" ON "Passkey"("userId");
