-- DropIndex
DROP INDEX "MergeRequest_projectId_updatedAt_idx";

-- DropIndex
DROP INDEX "Project_visibility_idx";

-- DropIndex
DROP INDEX "Project_groupId_idx";

-- CreateIndex
CREATE INDEX "MergeRequest_projectId_id_idx" ON "MergeRequest"("projectId", "id");

-- CreateIndex
CREATE INDEX "MergeRequest_projectId_createdAt_id_idx" ON "MergeRequest"("projectId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "MergeRequest_projectId_updatedAt_id_idx" ON "MergeRequest"("projectId", "updatedAt", "id");

-- CreateIndex
CREATE INDEX "MergeRequest_projectId_mergedAt_id_idx" ON "MergeRequest"("projectId", "mergedAt", "id");

-- CreateIndex
CREATE INDEX "MergeRequest_projectId_titleLower_id_idx" ON "MergeRequest"("projectId", "titleLower", "id");

-- CreateIndex
CREATE INDEX "MergeRequest_createdAt_id_projectId_idx" ON "MergeRequest"("createdAt", "id", "projectId");

-- CreateIndex
CREATE INDEX "MergeRequest_updatedAt_id_projectId_idx" ON "MergeRequest"("updatedAt", "id", "projectId");

-- CreateIndex
CREATE INDEX "MergeRequest_authorId_createdAt_id_idx" ON "MergeRequest"("authorId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "MergeRequestLabel_name_mergeRequestId_idx" ON "MergeRequestLabel"("name", "mergeRequestId");

-- CreateIndex
CREATE INDEX "Project_groupId_createdAt_id_idx" ON "Project"("groupId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "Project_visibility_createdAt_id_idx" ON "Project"("visibility", "createdAt", "id");

-- CreateIndex
CREATE INDEX "Project_createdAt_id_idx" ON "Project"("createdAt", "id");

-- CreateIndex
CREATE INDEX "Project_nameLower_id_idx" ON "Project"("nameLower", "id");
