-- CreateIndex
CREATE INDEX "Project_createdAt_id_lastActivityAt_visibility_groupId_topGroupId_idx" ON "Project"("createdAt", "id", "lastActivityAt", "visibility", "groupId", "topGroupId");
