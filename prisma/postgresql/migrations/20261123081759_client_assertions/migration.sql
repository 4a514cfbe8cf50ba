-- AlterTable
ALTER TABLE "Application" ADD COLUMN     "authMethod" TEXT,
ADD COLUMN     "jwks" TEXT,
ADD COLUMN     "jwksUri" TEXT;

-- AlterTable
ALTER TABLE "ApplicationSecret" ADD COLUMN     "sealed" TEXT;

-- CreateTable
CREATE TABLE "UsedJwt" (
    "digest" TEXT NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "UsedJwt_pkey" PRIMARY KEY ("digest")
);

-- CreateIndex
CREATE INDEX "UsedJwt_expiresAt_idx" ON "UsedJwt"("expiresAt");
