ALTER TABLE "Application" ADD COLUMN "accessTokenFormat" TEXT NOT NULL DEFAULT 'opaque';
ALTER TABLE "Application" ADD COLUMN "resourceServer" BOOLEAN NOT NULL DEFAULT false;
