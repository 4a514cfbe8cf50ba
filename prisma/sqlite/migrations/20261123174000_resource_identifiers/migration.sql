-- CreateTable
CREATE TABLE "ResourceIdentifier" (
    "uri" TEXT NOT NULL PRIMARY KEY,
    "applicationId" INTEGER NOT NULL,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "ResourceIdentifier_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "ResourceIdentifier_applicationId_idx" ON "ResourceIdentifier"("applicationId");
