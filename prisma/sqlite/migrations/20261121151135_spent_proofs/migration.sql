-- CreateTable
CREATE TABLE "SpentProof" (
    "digest" TEXT NOT NULL PRIMARY KEY,
    "expiresAt" DATETIME NOT NULL
);

-- CreateIndex
CREATE INDEX "SpentProof_expiresAt_idx" ON "SpentProof"("expiresAt");
