-- CreateTable
CREATE TABLE "BranchPush" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "projectId" INTEGER NOT NULL,
    "branch" TEXT,
    "headSha" TEXT NOT NULL,
    "userId" INTEGER NOT NULL,
    "pushedAt" DATETIME NOT NULL,
    CONSTRAINT "BranchPush_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "BranchPush_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "BranchPush_projectId_headSha_idx" ON "BranchPush"("projectId", "headSha");

-- CreateIndex
CREATE INDEX "BranchPush_projectId_branch_idx" ON "BranchPush"("projectId", "branch");

-- CreateIndex
CREATE INDEX "BranchPush_userId_idx" ON "BranchPush"("userId");
