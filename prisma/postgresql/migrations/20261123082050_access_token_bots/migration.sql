-- AlterTable
ALTER TABLE "User" ADD COLUMN     "kind" TEXT NOT NULL DEFAULT 'human';

-- CreateTable
CREATE TABLE "AccessTokenBot" (
    "userId" INTEGER NOT NULL,
    "projectId" INTEGER,
    "groupId" INTEGER,
    "creatorId" INTEGER NOT NULL,

    CONSTRAINT "AccessTokenBot_pkey" PRIMARY KEY ("userId")
);

-- CreateIndex
CREATE INDEX "AccessTokenBot_projectId_idx" ON "AccessTokenBot"("projectId");

-- CreateIndex
CREATE INDEX "AccessTokenBot_groupId_projectId_idx" ON "AccessTokenBot"("groupId", "projectId");

-- CreateIndex
CREATE INDEX "AccessTokenBot_creatorId_idx" ON "AccessTokenBot"("creatorId");

-- CreateIndex
CREATE INDEX "User_kind_id_idx" ON "User"("kind", "id");

-- AddForeignKey
ALTER TABLE "AccessTokenBot" ADD CONSTRAINT "AccessTokenBot_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AccessTokenBot" ADD CONSTRAINT "AccessTokenBot_creatorId_fkey" FOREIGN KEY ("creatorId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AccessTokenBot" ADD CONSTRAINT "AccessTokenBot_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AccessTokenBot" ADD CONSTRAINT "AccessTokenBot_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "Group"("id") ON DELETE CASCADE ON UPDATE CASCADE;
