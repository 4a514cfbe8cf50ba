-- AlterTable
ALTER TABLE "Application" ADD COLUMN     "requiresDpop" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "AuthorizationCode" ADD COLUMN     "dpopJkt" TEXT;

-- AlterTable
ALTER TABLE "OauthToken" ADD COLUMN     "dpopJkt" TEXT;
