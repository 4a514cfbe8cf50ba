-- AlterTable
ALTER TABLE "Application" ADD COLUMN     "idTokenAlgorithm" TEXT NOT NULL DEFAULT 'RS256';

-- AlterTable
ALTER TABLE "SigningKey" ADD COLUMN     "algorithm" TEXT NOT NULL DEFAULT 'RS256',
ADD COLUMN     "signsFrom" TIMESTAMP(3);
