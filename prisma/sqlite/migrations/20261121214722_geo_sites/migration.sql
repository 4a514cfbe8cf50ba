-- CreateTable
CREATE TABLE "GeoSite" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "internalUrl" TEXT,
    "primarySlot" INTEGER,
    "enabled" BOOLEAN NOT NULL,
    "filesMaxCapacity" INTEGER NOT NULL,
    "reposMaxCapacity" INTEGER NOT NULL,
    "verificationMaxCapacity" INTEGER NOT NULL,
    "containerRepositoriesMaxCapacity" INTEGER NOT NULL,
    "minimumReverificationInterval" INTEGER NOT NULL,
    "syncObjectStorage" BOOLEAN NOT NULL,
    "selectiveSyncType" TEXT,
    "selectiveSyncShards" TEXT NOT NULL,
    "selectiveSyncNamespaceIds" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "report" TEXT,
    "reportedAt" DATETIME,
    "applicationId" INTEGER,
    CONSTRAINT "GeoSite_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "GeoSite_name_key" ON "GeoSite"("name");

-- CreateIndex
CREATE UNIQUE INDEX "GeoSite_url_key" ON "GeoSite"("url");

-- CreateIndex
CREATE UNIQUE INDEX "GeoSite_primarySlot_key" ON "GeoSite"("primarySlot");

-- CreateIndex
CREATE UNIQUE INDEX "GeoSite_applicationId_key" ON "GeoSite"("applicationId");
