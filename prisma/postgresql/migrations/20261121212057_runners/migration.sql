-- CreateTable
CREATE TABLE "Runner" (
    "id" SERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "maintenanceNote" TEXT,
    "paused" BOOLEAN NOT NULL,
    "locked" BOOLEAN NOT NULL,
    "runUntagged" BOOLEAN NOT NULL,
    "accessLevel" TEXT NOT NULL,
    "maximumTimeout" INTEGER,
    "groupId" INTEGER,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "contactedAt" TIMESTAMP(3),
    "name" TEXT,
    "version" TEXT,
    "revision" TEXT,
    "platform" TEXT,
    "architecture" TEXT,
    "executor" TEXT,

    CONSTRAINT "Runner_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RunnerProject" (
    "runnerId" INTEGER NOT NULL,
    "projectId" INTEGER NOT NULL,

    CONSTRAINT "RunnerProject_pkey" PRIMARY KEY ("runnerId","projectId")
);

-- CreateTable
CREATE TABLE "RunnerTag" (
    "runnerId" INTEGER NOT NULL,
    "name" TEXT NOT NULL,

    CONSTRAINT "RunnerTag_pkey" PRIMARY KEY ("runnerId","name")
);

-- CreateIndex
CREATE UNIQUE INDEX "Runner_digest_key" ON "Runner"("digest");

-- CreateIndex
CREATE INDEX "Runner_kind_idx" ON "Runner"("kind");

-- CreateIndex
CREATE INDEX "Runner_groupId_idx" ON "Runner"("groupId");

-- CreateIndex
CREATE INDEX "Runner_contactedAt_idx" ON "Runner"("contactedAt");

-- CreateIndex
CREATE INDEX "RunnerProject_projectId_idx" ON "RunnerProject"("projectId");

-- CreateIndex
CREATE INDEX "RunnerTag_name_idx" ON "RunnerTag"("name");

-- AddForeignKey
ALTER TABLE "Runner" ADD CONSTRAINT "Runner_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "Group"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RunnerProject" ADD CONSTRAINT "RunnerProject_runnerId_fkey" FOREIGN KEY ("runnerId") REFERENCES "Runner"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RunnerProject" ADD CONSTRAINT "RunnerProject_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RunnerTag" ADD CONSTRAINT "RunnerTag_runnerId_fkey" FOREIGN KEY ("runnerId") REFERENCES "Runner"("id") ON DELETE CASCADE ON UPDATE CASCADE;
