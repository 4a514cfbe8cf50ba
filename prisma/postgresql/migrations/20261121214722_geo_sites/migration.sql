-- CreateTable
CREATE TABLE "GeoSite" (
    "id" SERIAL NOT NULL,
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
    "createdAt" TIMESTAMP(3) NOT NULL,
    "report" TEXT,
    "reportedAt" TIMESTAMP(3),
    "applicationId" INTEGER,

    CONSTRAINT "GeoSite_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "GeoSite_name_key" ON "GeoSite"("name");

-- CreateIndex
CREATE UNIQUE INDEX "GeoSite_url_key" ON "GeoSite"("url");

-- CreateIndex
CREATE UNIQUE INDEX "GeoSite_primarySlot_key" ON "GeoSite"("primarySlot");

-- CreateIndex
CREATE UNIQUE INDEX "GeoSite_applicationId_key" ON "GeoSite"("applicationId");

-- AddForeignKey
ALTER TABLE "GeoSite" ADD CONSTRAINT "GeoSite_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application"("id") ON DELETE SET NULL ON UPDATE CASCADE;
