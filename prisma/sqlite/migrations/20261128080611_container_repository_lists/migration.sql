-- CreateIndex
CREATE INDEX "ContainerRepository_projectId_removedAt_id_idx" ON "ContainerRepository"("projectId", "removedAt", "id");

-- CreateIndex
CREATE INDEX "ContainerRepository_projectId_dueAt_idx" ON "ContainerRepository"("projectId", "dueAt");
