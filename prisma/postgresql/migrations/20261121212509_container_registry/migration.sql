-- CreateTable
CREATE TABLE "ContainerRepository" (
    "id" SERIAL NOT NULL,
    "projectId" INTEGER,
    "path" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "cleanupStartedAt" TIMESTAMP(3),
    "cleanup" TEXT,
    "removedAt" TIMESTAMP(3),
    "dueAt" TIMESTAMP(3),

    CONSTRAINT "ContainerRepository_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RegistryKey" (
    "id" SERIAL NOT NULL,
    "sealedPrivate" TEXT NOT NULL,
    "certificate" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "RegistryKey_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "ContainerRepository_path_key" ON "ContainerRepository"("path");

-- CreateIndex
CREATE INDEX "ContainerRepository_projectId_id_idx" ON "ContainerRepository"("projectId", "id");

-- CreateIndex
CREATE INDEX "ContainerRepository_dueAt_idx" ON "ContainerRepository"("dueAt");

-- AddForeignKey
ALTER TABLE "ContainerRepository" ADD CONSTRAINT "ContainerRepository_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE SET NULL ON UPDATE CASCADE;
