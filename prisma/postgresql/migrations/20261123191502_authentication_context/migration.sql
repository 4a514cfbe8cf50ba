-- AlterTable
ALTER TABLE "AuthorizationCode" ADD COLUMN     "acr" TEXT,
ADD COLUMN     "amr" TEXT;

-- AlterTable
ALTER TABLE "DeviceAuthorization" ADD COLUMN     "acr" TEXT,
ADD COLUMN     "amr" TEXT;

-- AlterTable
ALTER TABLE "Session" ADD COLUMN     "methods" TEXT;

-- AlterTable
ALTER TABLE "TokenFamily" ADD COLUMN     "acr" TEXT,
ADD COLUMN     "amr" TEXT;
