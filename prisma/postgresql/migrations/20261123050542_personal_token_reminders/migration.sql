-- AlterTable
ALTER TABLE "PersonalAccessToken" ADD COLUMN     "remindedAt" TIMESTAMP(3);
