-- CreateIndex
CREATE UNIQUE INDEX "Project_id_visibility_key" ON "Project"("id", "visibility");

-- CreateIndex
CREATE INDEX "Project_groupId_id_idx" ON "Project"("groupId", "id");

-- RedefineTables: a migration runs without foreign keys, so that no row that refers to one of these goes with it.
CREATE TABLE "new_MergeRequest" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "projectId" INTEGER NOT NULL,
    "visibility" TEXT NOT NULL,
    "groupId" INTEGER,
    "topGroupId" INTEGER,
    "iid" INTEGER NOT NULL,
    "sourceBranch" TEXT NOT NULL,
    "targetBranch" TEXT NOT NULL,
    "openKey" TEXT,
    "title" TEXT NOT NULL,
    "titleLower" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "draft" BOOLEAN NOT NULL,
    "state" TEXT NOT NULL,
    "authorId" INTEGER,
    "squash" BOOLEAN NOT NULL,
    "removesSource" BOOLEAN NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "headSha" TEXT NOT NULL,
    "baseSha" TEXT,
    "startSha" TEXT NOT NULL,
    "changesCount" INTEGER NOT NULL,
    "mergeability" TEXT NOT NULL,
    "behind" BOOLEAN NOT NULL,
    "checkedSha" TEXT,
    "mergeError" TEXT,
    "lockedAt" DATETIME,
    "lockedById" INTEGER,
    "autoMergeAt" DATETIME,
    "autoMergeSha" TEXT,
    "mergeMessage" TEXT,
    "squashMessage" TEXT,
    "mergeUserId" INTEGER,
    "mergedAt" DATETIME,
    "mergeCommitSha" TEXT,
    "squashCommitSha" TEXT,
    "closedById" INTEGER,
    "closedAt" DATETIME,
    CONSTRAINT "MergeRequest_projectId_visibility_fkey" FOREIGN KEY ("projectId", "visibility") REFERENCES "Project" ("id", "visibility") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "MergeRequest_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "Group" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "MergeRequest_authorId_fkey" FOREIGN KEY ("authorId") REFERENCES "User" ("id") ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT "MergeRequest_mergeUserId_fkey" FOREIGN KEY ("mergeUserId") REFERENCES "User" ("id") ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT "MergeRequest_closedById_fkey" FOREIGN KEY ("closedById") REFERENCES "User" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);
INSERT INTO "new_MergeRequest" ("authorId", "autoMergeAt", "autoMergeSha", "baseSha", "behind", "changesCount", "checkedSha", "closedAt", "closedById", "createdAt", "description", "draft", "headSha", "id", "iid", "lockedAt", "lockedById", "mergeCommitSha", "mergeError", "mergeMessage", "mergeUserId", "mergeability", "mergedAt", "openKey", "projectId", "removesSource", "searchText", "sourceBranch", "squash", "squashCommitSha", "squashMessage", "startSha", "state", "targetBranch", "title", "titleLower", "updatedAt", "visibility", "groupId", "topGroupId") SELECT m."authorId", m."autoMergeAt", m."autoMergeSha", m."baseSha", m."behind", m."changesCount", m."checkedSha", m."closedAt", m."closedById", m."createdAt", m."description", m."draft", m."headSha", m."id", m."iid", m."lockedAt", m."lockedById", m."mergeCommitSha", m."mergeError", m."mergeMessage", m."mergeUserId", m."mergeability", m."mergedAt", m."openKey", m."projectId", m."removesSource", m."searchText", m."sourceBranch", m."squash", m."squashCommitSha", m."squashMessage", m."startSha", m."state", m."targetBranch", m."title", m."titleLower", m."updatedAt", p."visibility", p."groupId", p."topGroupId" FROM "MergeRequest" m JOIN "Project" p ON p."id" = m."projectId";
-- The numbers go on where they were, though the last rows may be gone.
DELETE FROM "sqlite_sequence" WHERE "name" = 'new_MergeRequest';
UPDATE "sqlite_sequence" SET "name" = 'new_MergeRequest' WHERE "name" = 'MergeRequest';
DROP TABLE "MergeRequest";
ALTER TABLE "new_MergeRequest" RENAME TO "MergeRequest";
CREATE UNIQUE INDEX "MergeRequest_openKey_key" ON "MergeRequest"("openKey");
CREATE INDEX "MergeRequest_projectId_id_idx" ON "MergeRequest"("projectId", "id");
CREATE INDEX "MergeRequest_projectId_state_id_idx" ON "MergeRequest"("projectId", "state", "id");
CREATE INDEX "MergeRequest_projectId_createdAt_id_idx" ON "MergeRequest"("projectId", "createdAt", "id");
CREATE INDEX "MergeRequest_projectId_updatedAt_id_idx" ON "MergeRequest"("projectId", "updatedAt", "id");
CREATE INDEX "MergeRequest_projectId_mergedAt_id_idx" ON "MergeRequest"("projectId", "mergedAt", "id");
CREATE INDEX "MergeRequest_projectId_titleLower_id_idx" ON "MergeRequest"("projectId", "titleLower", "id");
CREATE INDEX "MergeRequest_createdAt_id_projectId_visibility_groupId_topGroupId_idx" ON "MergeRequest"("createdAt", "id", "projectId", "visibility", "groupId", "topGroupId");
CREATE INDEX "MergeRequest_updatedAt_id_projectId_visibility_groupId_topGroupId_idx" ON "MergeRequest"("updatedAt", "id", "projectId", "visibility", "groupId", "topGroupId");
CREATE INDEX "MergeRequest_titleLower_id_projectId_visibility_groupId_topGroupId_idx" ON "MergeRequest"("titleLower", "id", "projectId", "visibility", "groupId", "topGroupId");
CREATE INDEX "MergeRequest_projectId_sourceBranch_createdAt_id_idx" ON "MergeRequest"("projectId", "sourceBranch", "createdAt", "id");
CREATE INDEX "MergeRequest_groupId_id_idx" ON "MergeRequest"("groupId", "id");
CREATE INDEX "MergeRequest_groupId_createdAt_id_idx" ON "MergeRequest"("groupId", "createdAt", "id");
CREATE INDEX "MergeRequest_topGroupId_id_idx" ON "MergeRequest"("topGroupId", "id");
CREATE INDEX "MergeRequest_topGroupId_createdAt_id_idx" ON "MergeRequest"("topGroupId", "createdAt", "id");
CREATE INDEX "MergeRequest_authorId_id_idx" ON "MergeRequest"("authorId", "id");
CREATE INDEX "MergeRequest_authorId_createdAt_id_idx" ON "MergeRequest"("authorId", "createdAt", "id");
CREATE INDEX "MergeRequest_mergeUserId_idx" ON "MergeRequest"("mergeUserId");
CREATE INDEX "MergeRequest_closedById_idx" ON "MergeRequest"("closedById");
CREATE UNIQUE INDEX "MergeRequest_projectId_iid_key" ON "MergeRequest"("projectId", "iid");
CREATE TABLE "new_RunnerProject" (
    "runnerId" INTEGER NOT NULL,
    "projectId" INTEGER NOT NULL,
    "groupId" INTEGER,
    "topGroupId" INTEGER,

    PRIMARY KEY ("runnerId", "projectId"),
    CONSTRAINT "RunnerProject_runnerId_fkey" FOREIGN KEY ("runnerId") REFERENCES "Runner" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "RunnerProject_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "RunnerProject_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "Group" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "new_RunnerProject" ("projectId", "runnerId", "groupId", "topGroupId") SELECT r."projectId", r."runnerId", p."groupId", p."topGroupId" FROM "RunnerProject" r JOIN "Project" p ON p."id" = r."projectId";
DROP TABLE "RunnerProject";
ALTER TABLE "new_RunnerProject" RENAME TO "RunnerProject";
CREATE INDEX "RunnerProject_projectId_idx" ON "RunnerProject"("projectId");
CREATE INDEX "RunnerProject_groupId_idx" ON "RunnerProject"("groupId");
