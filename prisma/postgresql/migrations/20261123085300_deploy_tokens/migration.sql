-- CreateTable
CREATE TABLE "DeployToken" (
    "id" SERIAL NOT NULL,
    "digest" TEXT NOT NULL,
    "projectId" INTEGER,
    "groupId" INTEGER,
    "creatorId" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "username" TEXT,
    "scopes" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3),

    CONSTRAINT "DeployToken_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "DeployToken_digest_key" ON "DeployToken"("digest");

-- CreateIndex
CREATE INDEX "DeployToken_projectId_id_idx" ON "DeployToken"("projectId", "id");

-- CreateIndex
CREATE INDEX "DeployToken_groupId_projectId_id_idx" ON "DeployToken"("groupId", "projectId", "id");

-- CreateIndex
CREATE INDEX "DeployToken_creatorId_idx" ON "DeployToken"("creatorId");

-- AddForeignKey
ALTER TABLE "DeployToken" ADD CONSTRAINT "DeployToken_creatorId_fkey" FOREIGN KEY ("creatorId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "DeployToken" ADD CONSTRAINT "DeployToken_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "DeployToken" ADD CONSTRAINT "DeployToken_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "Group"("id") ON DELETE CASCADE ON UPDATE CASCADE;
