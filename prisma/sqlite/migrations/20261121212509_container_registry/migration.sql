-- CreateTable
CREATE TABLE "ContainerRepository" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "projectId" INTEGER,
    "path" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "cleanupStartedAt" DATETIME,
    "cleanup" TEXT,
    "removedAt" DATETIME,
    "dueAt" DATETIME,
    CONSTRAINT "ContainerRepository_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "RegistryKey" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "sealedPrivate" TEXT NOT NULL,
    "certificate" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL
);

-- CreateIndex
CREATE UNIQUE INDEX "ContainerRepository_path_key" ON "ContainerRepository"("path");

-- CreateIndex
CREATE INDEX "ContainerRepository_projectId_id_idx" ON "ContainerRepository"("projectId", "id");

-- CreateIndex
CREATE INDEX "ContainerRepository_dueAt_idx" ON "ContainerRepository"("dueAt");
