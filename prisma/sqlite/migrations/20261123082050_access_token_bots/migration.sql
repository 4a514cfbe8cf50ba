-- CreateTable
CREATE TABLE "AccessTokenBot" (
    "userId" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "projectId" INTEGER,
    "groupId" INTEGER,
    "creatorId" INTEGER NOT NULL,
    CONSTRAINT "AccessTokenBot_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "AccessTokenBot_creatorId_fkey" FOREIGN KEY ("creatorId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "AccessTokenBot_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "AccessTokenBot_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "Group" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- AlterTable
ALTER TABLE "User" ADD COLUMN "kind" TEXT NOT NULL DEFAULT 'human';

-- CreateIndex
CREATE INDEX "User_kind_id_idx" ON "User"("kind", "id");

-- CreateIndex
CREATE INDEX "AccessTokenBot_projectId_idx" ON "AccessTokenBot"("projectId");

-- CreateIndex
CREATE INDEX "AccessTokenBot_groupId_projectId_idx" ON "AccessTokenBot"("groupId", "projectId");

-- CreateIndex
CREATE INDEX "AccessTokenBot_creatorId_idx" ON "AccessTokenBot"("creatorId");
