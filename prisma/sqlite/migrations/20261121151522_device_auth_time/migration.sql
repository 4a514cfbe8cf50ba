-- AlterTable
ALTER TABLE "DeviceAuthorization" ADD COLUMN "authTime" DATETIME;
