-- CreateTable
CREATE TABLE "PublishedPackage" (
    "id" SERIAL NOT NULL,
    "projectId" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "nameLower" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "lastDownloadedAt" TIMESTAMP(3),

    CONSTRAINT "PublishedPackage_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "PublishedFile" (
    "id" SERIAL NOT NULL,
    "packageId" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "sizeBytes" INTEGER NOT NULL,
    "sha256" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "PublishedFile_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "PublishedPackage_projectId_createdAt_id_idx" ON "PublishedPackage"("projectId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "PublishedPackage_projectId_nameLower_id_idx" ON "PublishedPackage"("projectId", "nameLower", "id");

-- CreateIndex
CREATE INDEX "PublishedPackage_projectId_version_id_idx" ON "PublishedPackage"("projectId", "version", "id");

-- CreateIndex
CREATE UNIQUE INDEX "PublishedPackage_projectId_type_name_version_key" ON "PublishedPackage"("projectId", "type", "name", "version");

-- CreateIndex
CREATE UNIQUE INDEX "PublishedFile_key_key" ON "PublishedFile"("key");

-- CreateIndex
CREATE UNIQUE INDEX "PublishedFile_packageId_name_key" ON "PublishedFile"("packageId", "name");

-- AddForeignKey
ALTER TABLE "PublishedPackage" ADD CONSTRAINT "PublishedPackage_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PublishedFile" ADD CONSTRAINT "PublishedFile_packageId_fkey" FOREIGN KEY ("packageId") REFERENCES "PublishedPackage"("id") ON DELETE CASCADE ON UPDATE CASCADE;
