-- CreateIndex
CREATE INDEX "Project_createdAt_id_lastActivityAt_visibility_groupId_topG_idx" ON "Project"("createdAt", "id", "lastActivityAt", "visibility", "groupId", "topGroupId");
