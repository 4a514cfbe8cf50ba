-- CreateIndex
CREATE INDEX "GroupMember_groupId_id_expiresAt_idx" ON "GroupMember"("groupId", "id", "expiresAt");

-- CreateIndex
CREATE INDEX "ProjectMember_projectId_id_expiresAt_idx" ON "ProjectMember"("projectId", "id", "expiresAt");

-- DropIndex
DROP INDEX "GroupMember_groupId_id_idx";

-- DropIndex
DROP INDEX "ProjectMember_projectId_id_idx";
