-- AlterTable
ALTER TABLE "Application" ADD COLUMN     "accessTokenFormat" TEXT NOT NULL DEFAULT 'opaque',
ADD COLUMN     "resourceServer" BOOLEAN NOT NULL DEFAULT false;
