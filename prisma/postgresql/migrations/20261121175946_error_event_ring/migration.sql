-- DropIndex
DROP INDEX "ErrorEvent_errorId_receivedAt_idx";

-- DropIndex
DROP INDEX "ErrorEvent_errorId_slot_key";

-- AlterTable
ALTER TABLE "ErrorEvent" DROP CONSTRAINT "ErrorEvent_pkey",
DROP COLUMN "id",
ADD CONSTRAINT "ErrorEvent_pkey" PRIMARY KEY ("errorId", "slot");

-- AlterTable
ALTER TABLE "TrackedError" ADD COLUMN     "nextSlot" INTEGER NOT NULL DEFAULT 0;
