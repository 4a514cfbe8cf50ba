-- AlterTable
ALTER TABLE "TrackedError" ADD COLUMN     "regressedAt" TIMESTAMP(3);
