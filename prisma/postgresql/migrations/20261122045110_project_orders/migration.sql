-- DropIndex
DROP INDEX "Project_createdAt_id_idx";

-- DropIndex
DROP INDEX "Project_lastActivityAt_id_idx";

-- DropIndex
DROP INDEX "Project_nameLower_id_idx";

-- CreateIndex
CREATE INDEX "Project_createdAt_id_visibility_groupId_topGroupId_idx" ON "Project"("createdAt", "id", "visibility", "groupId", "topGroupId");

-- CreateIndex
CREATE INDEX "Project_nameLower_id_visibility_groupId_topGroupId_idx" ON "Project"("nameLower", "id", "visibility", "groupId", "topGroupId");

-- CreateIndex
CREATE INDEX "Project_lastActivityAt_id_visibility_groupId_topGroupId_idx" ON "Project"("lastActivityAt", "id", "visibility", "groupId", "topGroupId");

-- CreateIndex
CREATE INDEX "Project_fullPathLower_id_visibility_groupId_topGroupId_idx" ON "Project"("fullPathLower", "id", "visibility", "groupId", "topGroupId");
