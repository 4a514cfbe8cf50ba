-- CreateTable
CREATE TABLE "SpentProof" (
    "digest" TEXT NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "SpentProof_pkey" PRIMARY KEY ("digest")
);

-- CreateIndex
CREATE INDEX "SpentProof_expiresAt_idx" ON "SpentProof"("expiresAt");
