-- DropIndex
DROP INDEX "PersonalAccessToken_userId_idx";

-- CreateIndex
CREATE INDEX "GroupMember_groupId_id_idx" ON "GroupMember"("groupId", "id");

-- CreateIndex
CREATE INDEX "PersonalAccessToken_userId_impersonatorId_id_idx" ON "PersonalAccessToken"("userId", "impersonatorId", "id");

-- CreateIndex
CREATE INDEX "ProjectMember_projectId_id_idx" ON "ProjectMember"("projectId", "id");

-- CreateIndex
CREATE INDEX "PublishedPackage_projectId_id_idx" ON "PublishedPackage"("projectId", "id");
