-- CreateTable
CREATE TABLE "DynamicClient" (
    "applicationId" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "tokenDigest" TEXT NOT NULL,
    "clientName" TEXT,
    "applicationType" TEXT NOT NULL,
    CONSTRAINT "DynamicClient_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "DynamicClient_tokenDigest_key" ON "DynamicClient"("tokenDigest");
