-- CreateTable
CREATE TABLE "BranchPush" (
    "id" SERIAL NOT NULL,
    "projectId" INTEGER NOT NULL,
    "branch" TEXT,
    "headSha" TEXT NOT NULL,
    "userId" INTEGER NOT NULL,
    "pushedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "BranchPush_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "BranchPush_projectId_headSha_idx" ON "BranchPush"("projectId", "headSha");

-- CreateIndex
CREATE INDEX "BranchPush_projectId_branch_idx" ON "BranchPush"("projectId", "branch");

-- CreateIndex
CREATE INDEX "BranchPush_userId_idx" ON "BranchPush"("userId");

-- AddForeignKey
ALTER TABLE "BranchPush" ADD CONSTRAINT "BranchPush_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "BranchPush" ADD CONSTRAINT "BranchPush_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
