-- AlterTable
ALTER TABLE "Project" ADD COLUMN     "mergeMethod" TEXT NOT NULL DEFAULT 'merge';

-- CreateTable
CREATE TABLE "ApprovalSetting" (
    "projectId" INTEGER NOT NULL,
    "approvalsRequired" INTEGER NOT NULL,
    "resetOnPush" BOOLEAN NOT NULL,
    "selectiveOwnerRemovals" BOOLEAN NOT NULL,
    "overridingDisabled" BOOLEAN NOT NULL,
    "authorApproval" BOOLEAN NOT NULL,
    "committersApprovalRefused" BOOLEAN NOT NULL,
    "passwordRequired" BOOLEAN NOT NULL,

    CONSTRAINT "ApprovalSetting_pkey" PRIMARY KEY ("projectId")
);

-- CreateTable
CREATE TABLE "MergeRequestApproval" (
    "mergeRequestId" INTEGER NOT NULL,
    "userId" INTEGER NOT NULL,
    "headSha" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "MergeRequestApproval_pkey" PRIMARY KEY ("mergeRequestId","userId")
);

-- CreateTable
CREATE TABLE "MergeRequest" (
    "id" SERIAL NOT NULL,
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
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "headSha" TEXT NOT NULL,
    "baseSha" TEXT,
    "startSha" TEXT NOT NULL,
    "changesCount" INTEGER NOT NULL,
    "mergeability" TEXT NOT NULL,
    "behind" BOOLEAN NOT NULL,
    "checkedSha" TEXT,
    "mergeError" TEXT,
    "lockedAt" TIMESTAMP(3),
    "lockedById" INTEGER,
    "autoMergeAt" TIMESTAMP(3),
    "autoMergeSha" TEXT,
    "mergeMessage" TEXT,
    "squashMessage" TEXT,
    "mergeUserId" INTEGER,
    "mergedAt" TIMESTAMP(3),
    "mergeCommitSha" TEXT,
    "squashCommitSha" TEXT,
    "closedById" INTEGER,
    "closedAt" TIMESTAMP(3),

    CONSTRAINT "MergeRequest_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "MergeRequestPerson" (
    "mergeRequestId" INTEGER NOT NULL,
    "userId" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,

    CONSTRAINT "MergeRequestPerson_pkey" PRIMARY KEY ("mergeRequestId","kind","userId")
);

-- CreateTable
CREATE TABLE "MergeRequestLabel" (
    "mergeRequestId" INTEGER NOT NULL,
    "name" TEXT NOT NULL,

    CONSTRAINT "MergeRequestLabel_pkey" PRIMARY KEY ("mergeRequestId","name")
);

-- CreateTable
CREATE TABLE "MergeRequestVersion" (
    "id" SERIAL NOT NULL,
    "mergeRequestId" INTEGER NOT NULL,
    "headSha" TEXT NOT NULL,
    "baseSha" TEXT,
    "startSha" TEXT NOT NULL,
    "changesCount" INTEGER NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "MergeRequestVersion_pkey" PRIMARY KEY ("id")
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

-- AddForeignKey
ALTER TABLE "ApprovalSetting" ADD CONSTRAINT "ApprovalSetting_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "MergeRequestApproval" ADD CONSTRAINT "MergeRequestApproval_mergeRequestId_fkey" FOREIGN KEY ("mergeRequestId") REFERENCES "MergeRequest"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "MergeRequestApproval" ADD CONSTRAINT "MergeRequestApproval_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "MergeRequest" ADD CONSTRAINT "MergeRequest_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "MergeRequest" ADD CONSTRAINT "MergeRequest_authorId_fkey" FOREIGN KEY ("authorId") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "MergeRequest" ADD CONSTRAINT "MergeRequest_mergeUserId_fkey" FOREIGN KEY ("mergeUserId") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "MergeRequest" ADD CONSTRAINT "MergeRequest_closedById_fkey" FOREIGN KEY ("closedById") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "MergeRequestPerson" ADD CONSTRAINT "MergeRequestPerson_mergeRequestId_fkey" FOREIGN KEY ("mergeRequestId") REFERENCES "MergeRequest"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "MergeRequestPerson" ADD CONSTRAINT "MergeRequestPerson_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "MergeRequestLabel" ADD CONSTRAINT "MergeRequestLabel_mergeRequestId_fkey" FOREIGN KEY ("mergeRequestId") REFERENCES "MergeRequest"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "MergeRequestVersion" ADD CONSTRAINT "MergeRequestVersion_mergeRequestId_fkey" FOREIGN KEY ("mergeRequestId") REFERENCES "MergeRequest"("id") ON DELETE CASCADE ON UPDATE CASCADE;
