-- AlterTable
ALTER TABLE "Application" ADD COLUMN     "groupId" INTEGER,
ADD COLUMN     "maintainerId" INTEGER,
ALTER COLUMN "ownerId" DROP NOT NULL;

-- CreateIndex
CREATE INDEX "Application_groupId_idx" ON "Application"("groupId");

-- CreateIndex
CREATE INDEX "Application_maintainerId_idx" ON "Application"("maintainerId");

-- AddForeignKey
ALTER TABLE "Application" ADD CONSTRAINT "Application_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "Group"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Application" ADD CONSTRAINT "Application_maintainerId_fkey" FOREIGN KEY ("maintainerId") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;
