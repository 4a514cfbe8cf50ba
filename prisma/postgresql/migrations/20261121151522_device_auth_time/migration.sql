-- AlterTable
ALTER TABLE "DeviceAuthorization" ADD COLUMN     "authTime" TIMESTAMP(3);
