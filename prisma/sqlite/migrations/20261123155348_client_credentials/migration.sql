-- AlterTable
ALTER TABLE "Application" ADD COLUMN "clientCredentialsScopes" TEXT NOT NULL DEFAULT '';

-- CreateTable
CREATE TABLE "ApplicationBot" (
    "applicationId" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "userId" INTEGER NOT NULL,
    CONSTRAINT "ApplicationBot_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "ApplicationBot_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "ApplicationBot_userId_key" ON "ApplicationBot"("userId");
