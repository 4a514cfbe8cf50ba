-- AlterTable
ALTER TABLE "Project" ADD COLUMN     "topGroupId" INTEGER;

UPDATE "Project" SET "topGroupId" = (
  SELECT g."id" FROM "GroupAncestor" a JOIN "Group" g ON g."id" = a."ancestorId"
  WHERE a."groupId" = "Project"."groupId" AND g."parentId" IS NULL
) WHERE "groupId" IS NOT NULL;

-- CreateIndex
CREATE INDEX "Project_groupId_nameLower_id_idx" ON "Project"("groupId", "nameLower", "id");

-- CreateIndex
CREATE INDEX "PublishedPackage_projectId_type_id_idx" ON "PublishedPackage"("projectId", "type", "id");

-- CreateIndex
CREATE INDEX "PublishedFile_packageId_id_idx" ON "PublishedFile"("packageId", "id");

-- CreateIndex
CREATE INDEX "MergeRequest_titleLower_id_projectId_idx" ON "MergeRequest"("titleLower", "id", "projectId");
