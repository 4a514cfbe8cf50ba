-- AlterTable
ALTER TABLE "Application" ADD COLUMN     "clientCredentialsScopes" TEXT NOT NULL DEFAULT '';

-- CreateTable
CREATE TABLE "ApplicationBot" (
    "applicationId" INTEGER NOT NULL,
    "userId" INTEGER NOT NULL,

    CONSTRAINT "ApplicationBot_pkey" PRIMARY KEY ("applicationId")
);

-- CreateIndex
CREATE UNIQUE INDEX "ApplicationBot_userId_key" ON "ApplicationBot"("userId");

-- AddForeignKey
ALTER TABLE "ApplicationBot" ADD CONSTRAINT "ApplicationBot_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ApplicationBot" ADD CONSTRAINT "ApplicationBot_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
