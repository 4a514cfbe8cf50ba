-- CreateTable
CREATE TABLE "Runner" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
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
    "createdAt" DATETIME NOT NULL,
    "contactedAt" DATETIME,
    "name" TEXT,
    "version" TEXT,
    "revision" TEXT,
    "platform" TEXT,
    "architecture" TEXT,
    "executor" TEXT,
    CONSTRAINT "Runner_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "Group" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "RunnerProject" (
    "runnerId" INTEGER NOT NULL,
    "projectId" INTEGER NOT NULL,

    PRIMARY KEY ("runnerId", "projectId"),
    CONSTRAINT "RunnerProject_runnerId_fkey" FOREIGN KEY ("runnerId") REFERENCES "Runner" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "RunnerProject_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "RunnerTag" (
    "runnerId" INTEGER NOT NULL,
    "name" TEXT NOT NULL,

    PRIMARY KEY ("runnerId", "name"),
    CONSTRAINT "RunnerTag_runnerId_fkey" FOREIGN KEY ("runnerId") REFERENCES "Runner" ("id") ON DELETE CASCADE ON UPDATE CASCADE
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
