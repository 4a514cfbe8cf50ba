-- AlterTable
ALTER TABLE "AuditEvent" ADD COLUMN     "digest" TEXT,
ADD COLUMN     "previousDigest" TEXT;

-- CreateTable
CREATE TABLE "AuditChain" (
    "id" INTEGER NOT NULL,
    "anchorDigest" TEXT NOT NULL,
    "headDigest" TEXT NOT NULL,
    "signature" TEXT NOT NULL,
    "isComplete" BOOLEAN NOT NULL,

    CONSTRAINT "AuditChain_pkey" PRIMARY KEY ("id")
);
