-- AlterTable
ALTER TABLE "AuditEvent" ADD COLUMN "digest" TEXT;
ALTER TABLE "AuditEvent" ADD COLUMN "previousDigest" TEXT;

-- CreateTable
CREATE TABLE "AuditChain" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "anchorDigest" TEXT NOT NULL,
    "headDigest" TEXT NOT NULL,
    "signature" TEXT NOT NULL,
    "isComplete" BOOLEAN NOT NULL
);
