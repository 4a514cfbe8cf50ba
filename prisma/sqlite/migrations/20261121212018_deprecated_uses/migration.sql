-- CreateTable
CREATE TABLE "DeprecatedUse" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "key" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "userId" INTEGER,
    "applicationId" INTEGER,
    "count" INTEGER NOT NULL,
    "lastUsedAt" DATETIME NOT NULL,
    CONSTRAINT "DeprecatedUse_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "DeprecatedUse_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "DeprecatedUse_key_key" ON "DeprecatedUse"("key");

-- CreateIndex
CREATE INDEX "DeprecatedUse_userId_lastUsedAt_idx" ON "DeprecatedUse"("userId", "lastUsedAt");

-- CreateIndex
CREATE INDEX "DeprecatedUse_applicationId_idx" ON "DeprecatedUse"("applicationId");

-- CreateIndex
CREATE INDEX "DeprecatedUse_lastUsedAt_idx" ON "DeprecatedUse"("lastUsedAt");
