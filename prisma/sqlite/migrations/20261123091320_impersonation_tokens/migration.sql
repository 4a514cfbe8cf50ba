-- AlterTable
ALTER TABLE "PersonalAccessToken" ADD COLUMN "impersonatorId" INTEGER;
