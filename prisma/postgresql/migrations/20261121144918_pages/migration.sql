-- AlterTable
ALTER TABLE "Application" ADD COLUMN     "blockedAt" TIMESTAMP(3),
ADD COLUMN     "lastUsedAt" TIMESTAMP(3);

-- AlterTable
ALTER TABLE "ApplicationSecret" ADD COLUMN     "ending" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "lastUsedAt" TIMESTAMP(3);

-- AlterTable
ALTER TABLE "Session" ADD COLUMN     "address" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "lastSeenAt" TIMESTAMP(3),
ADD COLUMN     "provenAt" TIMESTAMP(3),
ADD COLUMN     "userAgent" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "TokenFamily" ADD COLUMN     "lastAddress" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "lastUsedAt" TIMESTAMP(3),
ADD COLUMN     "lastUserAgent" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "User" ADD COLUMN     "privateProfile" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "twoFactorAskedAt" TIMESTAMP(3);

-- CreateTable
CREATE TABLE "ApplicationLogo" (
    "applicationId" INTEGER NOT NULL,
    "png" BYTEA NOT NULL,
    "digest" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ApplicationLogo_pkey" PRIMARY KEY ("applicationId")
);

-- CreateTable
CREATE TABLE "FailedExchange" (
    "id" SERIAL NOT NULL,
    "applicationId" INTEGER NOT NULL,
    "endpoint" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "FailedExchange_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TotpSecret" (
    "userId" INTEGER NOT NULL,
    "sealedSecret" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "lastStep" INTEGER NOT NULL,

    CONSTRAINT "TotpSecret_pkey" PRIMARY KEY ("userId")
);

-- CreateTable
CREATE TABLE "RecoveryCode" (
    "id" SERIAL NOT NULL,
    "userId" INTEGER NOT NULL,
    "digest" TEXT NOT NULL,
    "usedAt" TIMESTAMP(3),

    CONSTRAINT "RecoveryCode_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Passkey" (
    "id" SERIAL NOT NULL,
    "userId" INTEGER NOT NULL,
    "credentialId" TEXT NOT NULL,
    "publicKey" BYTEA NOT NULL,
    "counter" INTEGER NOT NULL,
    "transports" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "lastUsedAt" TIMESTAMP(3),

    CONSTRAINT "Passkey_pkey" PRIMARY KEY ("id")
);

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

-- AddForeignKey
ALTER TABLE "ApplicationLogo" ADD CONSTRAINT "ApplicationLogo_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "FailedExchange" ADD CONSTRAINT "FailedExchange_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TotpSecret" ADD CONSTRAINT "TotpSecret_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RecoveryCode" ADD CONSTRAINT "RecoveryCode_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Passkey" ADD CONSTRAINT "Passkey_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
