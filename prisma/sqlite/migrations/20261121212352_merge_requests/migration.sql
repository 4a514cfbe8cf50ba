-- AlterTable
ALTER TABLE "Project" ADD COLUMN "mergeMethod" TEXT NOT NULL DEFAULT 'merge';

-- CreateTable
CREATE TABLE "ApprovalSetting" (
    "projectId" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "approvalsRequired" INTEGER NOT NULL,
    "resetOnPush" BOOLEAN NOT NULL,
    "selectiveOwnerRemovals" BOOLEAN NOT NULL,
    "overridingDisabled" BOOLEAN NOT NULL,
    "authorApproval" BOOLEAN NOT NULL,
    "committersApprovalRefused" BOOLEAN NOT NULL,
    "passwordRequired" BOOLEAN NOT NULL,
    CONSTRAINT "ApprovalSetting_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "MergeRequestApproval" (
    "mergeRequestId" INTEGER NOT NULL,
    "userId" INTEGER NOT NULL,
    "headSha" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,

    PRIMARY KEY ("mergeRequestId", "userId"),
    CONSTRAINT "MergeRequestApproval_mergeRequestId_fkey" FOREIGN KEY ("mergeRequestId") REFERENCES "MergeRequest" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "MergeRequestApproval_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "MergeRequest" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "projectId" INTEGER NOT NULL,
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
    CONSTRAINT "MergeRequest_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "MergeRequest_authorId_fkey" FOREIGN KEY ("authorId") REFERENCES "User" ("id") ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT "MergeRequest_mergeUserId_fkey" FOREIGN KEY ("mergeUserId") REFERENCES "User" ("id") ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT "MergeRequest_closedById_fkey" FOREIGN KEY ("closedById") REFERENCES "User" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "MergeRequestPerson" (
    "mergeRequestId" INTEGER NOT NULL,
    "userId" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,

    PRIMARY KEY ("mergeRequestId", "kind", "userId"),
    CONSTRAINT "MergeRequestPerson_mergeRequestId_fkey" FOREIGN KEY ("mergeRequestId") REFERENCES "MergeRequest" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "MergeRequestPerson_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "MergeRequestLabel" (
    "mergeRequestId" INTEGER NOT NULL,
    "name" TEXT NOT NULL,

    PRIMARY KEY ("mergeRequestId", "name"),
    CONSTRAINT "MergeRequestLabel_mergeRequestId_fkey" FOREIGN KEY ("mergeRequestId") REFERENCES "MergeRequest" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "MergeRequestVersion" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "mergeRequestId" INTEGER NOT NULL,
    "headSha" TEXT NOT NULL,
    "baseSha" TEXT,
    "startSha" TEXT NOT NULL,
    "changesCount" INTEGER NOT NULL,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "MergeRequestVersion_mergeRequestId_fkey" FOREIGN KEY ("mergeRequestId") REFERENCES "MergeRequest" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "MergeRequestApproval_userId_idx" ON "MergeRequestApproval"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "MergeRequest_openKey_key" ON "MergeRequest"("openKey");

-- CreateIndex
CREATE INDEX "MergeRequest_projectId_state_id_idx" ON "MergeRequest"("projectId", "state", "id");

-- CreateIndex
CREATE INDEX "MergeRequest_projectId_updatedAt_idx" ON "MergeRequest"("projectId", "updatedAt");

-- CreateIndex
CREATE INDEX "MergeRequest_authorId_id_idx" ON "MergeRequest"("authorId", "id");

-- CreateIndex
CREATE INDEX "MergeRequest_mergeUserId_idx" ON "MergeRequest"("mergeUserId");

-- CreateIndex
CREATE INDEX "MergeRequest_closedById_idx" ON "MergeRequest"("closedById");

-- CreateIndex
CREATE UNIQUE INDEX "MergeRequest_projectId_iid_key" ON "MergeRequest"("projectId", "iid");

-- CreateIndex
CREATE INDEX "MergeRequestPerson_userId_kind_idx" ON "MergeRequestPerson"("userId", "kind");

-- CreateIndex
CREATE INDEX "MergeRequestVersion_mergeRequestId_id_idx" ON "MergeRequestVersion"("mergeRequestId", "id");
