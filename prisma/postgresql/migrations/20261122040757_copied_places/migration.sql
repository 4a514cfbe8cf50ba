-- DropForeignKey
ALTER TABLE "MergeRequest" DROP CONSTRAINT "MergeRequest_projectId_fkey";

-- DropIndex
DROP INDEX "MergeRequest_createdAt_id_projectId_idx";

-- DropIndex
DROP INDEX "MergeRequest_titleLower_id_projectId_idx";

-- DropIndex
DROP INDEX "MergeRequest_updatedAt_id_projectId_idx";

-- AlterTable
ALTER TABLE "MergeRequest" ADD COLUMN     "groupId" INTEGER,
ADD COLUMN     "topGroupId" INTEGER,
ADD COLUMN     "visibility" TEXT;

UPDATE "MergeRequest" SET "visibility" = p."visibility", "groupId" = p."groupId", "topGroupId" = p."topGroupId"
FROM "Project" p WHERE p."id" = "MergeRequest"."projectId";

ALTER TABLE "MergeRequest" ALTER COLUMN "visibility" SET NOT NULL;

-- AlterTable
ALTER TABLE "RunnerProject" ADD COLUMN     "groupId" INTEGER,
ADD COLUMN     "topGroupId" INTEGER;

UPDATE "RunnerProject" SET "groupId" = p."groupId", "topGroupId" = p."topGroupId"
FROM "Project" p WHERE p."id" = "RunnerProject"."projectId";

-- CreateIndex
CREATE INDEX "MergeRequest_createdAt_id_projectId_visibility_groupId_topG_idx" ON "MergeRequest"("createdAt", "id", "projectId", "visibility", "groupId", "topGroupId");

-- CreateIndex
CREATE INDEX "MergeRequest_updatedAt_id_projectId_visibility_groupId_topG_idx" ON "MergeRequest"("updatedAt", "id", "projectId", "visibility", "groupId", "topGroupId");

-- CreateIndex
CREATE INDEX "MergeRequest_titleLower_id_projectId_visibility_groupId_top_idx" ON "MergeRequest"("titleLower", "id", "projectId", "visibility", "groupId", "topGroupId");

-- CreateIndex
CREATE INDEX "MergeRequest_projectId_sourceBranch_createdAt_id_idx" ON "MergeRequest"("projectId", "sourceBranch", "createdAt", "id");

-- CreateIndex
CREATE INDEX "MergeRequest_groupId_id_idx" ON "MergeRequest"("groupId", "id");

-- CreateIndex
CREATE INDEX "MergeRequest_groupId_createdAt_id_idx" ON "MergeRequest"("groupId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "MergeRequest_topGroupId_id_idx" ON "MergeRequest"("topGroupId", "id");

-- CreateIndex
CREATE INDEX "MergeRequest_topGroupId_createdAt_id_idx" ON "MergeRequest"("topGroupId", "createdAt", "id");

-- CreateIndex
CREATE UNIQUE INDEX "Project_id_visibility_key" ON "Project"("id", "visibility");

-- CreateIndex
CREATE INDEX "Project_groupId_id_idx" ON "Project"("groupId", "id");

-- CreateIndex
CREATE INDEX "RunnerProject_groupId_idx" ON "RunnerProject"("groupId");

-- AddForeignKey
ALTER TABLE "MergeRequest" ADD CONSTRAINT "MergeRequest_projectId_visibility_fkey" FOREIGN KEY ("projectId", "visibility") REFERENCES "Project"("id", "visibility") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "MergeRequest" ADD CONSTRAINT "MergeRequest_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "Group"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RunnerProject" ADD CONSTRAINT "RunnerProject_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "Group"("id") ON DELETE CASCADE ON UPDATE CASCADE;
