-- CreateIndex
CREATE INDEX "MergeRequest_authorId_topGroupId_createdAt_id_idx" ON "MergeRequest"("authorId", "topGroupId", "createdAt", "id");
