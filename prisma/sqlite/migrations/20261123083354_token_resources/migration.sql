-- AlterTable
ALTER TABLE "AuthorizationCode" ADD COLUMN "resource" TEXT;

-- AlterTable
ALTER TABLE "TokenFamily" ADD COLUMN "resource" TEXT;
