-- AlterTable
ALTER TABLE "TrackedError" ADD COLUMN "regressedAt" DATETIME;
