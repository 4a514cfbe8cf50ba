-- AlterTable
ALTER TABLE "PersonalAccessToken" ADD COLUMN "remindedAt" DATETIME;
