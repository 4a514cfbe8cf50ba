-- AlterTable
ALTER TABLE "Application" ADD COLUMN     "requiresPushedRequests" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "PushedRequest" (
    "digest" TEXT NOT NULL,
    "applicationId" INTEGER NOT NULL,
    "sealedQuery" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "openedAt" TIMESTAMP(3),
    "usedAt" TIMESTAMP(3),

    CONSTRAINT "PushedRequest_pkey" PRIMARY KEY ("digest")
);

-- CreateIndex
CREATE INDEX "PushedRequest_applicationId_idx" ON "PushedRequest"("applicationId");

-- CreateIndex
CREATE INDEX "PushedRequest_expiresAt_idx" ON "PushedRequest"("expiresAt");

-- AddForeignKey
ALTER TABLE "PushedRequest" ADD CONSTRAINT "PushedRequest_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application"("id") ON DELETE CASCADE ON UPDATE CASCADE;
