-- CreateTable
CREATE TABLE "ErrorTrackingSetting" (
    "projectId" INTEGER NOT NULL,
    "active" BOOLEAN NOT NULL,
    "integrated" BOOLEAN NOT NULL,
    "apiUrl" TEXT,
    "projectName" TEXT,
    "sealedToken" TEXT,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ErrorTrackingSetting_pkey" PRIMARY KEY ("projectId")
);

-- CreateTable
CREATE TABLE "ErrorTrackingClientKey" (
    "id" SERIAL NOT NULL,
    "projectId" INTEGER NOT NULL,
    "publicKey" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ErrorTrackingClientKey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TrackedError" (
    "id" SERIAL NOT NULL,
    "projectId" INTEGER NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "culprit" TEXT NOT NULL,
    "platform" TEXT NOT NULL,
    "level" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "statusChangedAt" TIMESTAMP(3),
    "firstSeenAt" TIMESTAMP(3) NOT NULL,
    "lastSeenAt" TIMESTAMP(3) NOT NULL,
    "eventCount" INTEGER NOT NULL,
    "userCount" INTEGER NOT NULL,

    CONSTRAINT "TrackedError_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ErrorEvent" (
    "id" SERIAL NOT NULL,
    "errorId" INTEGER NOT NULL,
    "slot" INTEGER NOT NULL,
    "eventId" TEXT NOT NULL,
    "occurredAt" TIMESTAMP(3) NOT NULL,
    "receivedAt" TIMESTAMP(3) NOT NULL,
    "level" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "release" TEXT NOT NULL,
    "payload" TEXT NOT NULL,

    CONSTRAINT "ErrorEvent_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ErrorFacet" (
    "errorId" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "eventCount" INTEGER NOT NULL,
    "firstSeenAt" TIMESTAMP(3) NOT NULL,
    "lastSeenAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ErrorFacet_pkey" PRIMARY KEY ("errorId","kind","value")
);

-- CreateTable
CREATE TABLE "ErrorHour" (
    "errorId" INTEGER NOT NULL,
    "hour" TIMESTAMP(3) NOT NULL,
    "eventCount" INTEGER NOT NULL,

    CONSTRAINT "ErrorHour_pkey" PRIMARY KEY ("errorId","hour")
);

-- CreateTable
CREATE TABLE "ErrorUser" (
    "errorId" INTEGER NOT NULL,
    "digest" TEXT NOT NULL,

    CONSTRAINT "ErrorUser_pkey" PRIMARY KEY ("errorId","digest")
);

-- CreateTable
CREATE TABLE "ErrorIngest" (
    "projectId" INTEGER NOT NULL,
    "hour" TIMESTAMP(3) NOT NULL,
    "outcome" TEXT NOT NULL,
    "category" TEXT NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "ErrorIngest_pkey" PRIMARY KEY ("projectId","hour","outcome","category")
);

-- CreateTable
CREATE TABLE "Group" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "fullPath" TEXT NOT NULL,
    "fullPathLower" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "visibility" TEXT NOT NULL,
    "parentId" INTEGER,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Group_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "GroupAncestor" (
    "groupId" INTEGER NOT NULL,
    "ancestorId" INTEGER NOT NULL,

    CONSTRAINT "GroupAncestor_pkey" PRIMARY KEY ("groupId","ancestorId")
);

-- CreateTable
CREATE TABLE "Project" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "nameLower" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "fullPath" TEXT NOT NULL,
    "fullPathLower" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "visibility" TEXT NOT NULL,
    "groupId" INTEGER,
    "creatorId" INTEGER,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "lastActivityAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Project_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ProjectMember" (
    "id" SERIAL NOT NULL,
    "projectId" INTEGER NOT NULL,
    "userId" INTEGER NOT NULL,
    "role" INTEGER NOT NULL,
    "expiresAt" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ProjectMember_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "GroupMember" (
    "id" SERIAL NOT NULL,
    "groupId" INTEGER NOT NULL,
    "userId" INTEGER NOT NULL,
    "role" INTEGER NOT NULL,
    "expiresAt" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "GroupMember_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "ErrorTrackingClientKey_publicKey_key" ON "ErrorTrackingClientKey"("publicKey");

-- CreateIndex
CREATE INDEX "ErrorTrackingClientKey_projectId_idx" ON "ErrorTrackingClientKey"("projectId");

-- CreateIndex
CREATE INDEX "TrackedError_projectId_status_lastSeenAt_id_idx" ON "TrackedError"("projectId", "status", "lastSeenAt", "id");

-- CreateIndex
CREATE INDEX "TrackedError_projectId_status_firstSeenAt_id_idx" ON "TrackedError"("projectId", "status", "firstSeenAt", "id");

-- CreateIndex
CREATE INDEX "TrackedError_projectId_status_eventCount_id_idx" ON "TrackedError"("projectId", "status", "eventCount", "id");

-- CreateIndex
CREATE INDEX "TrackedError_lastSeenAt_idx" ON "TrackedError"("lastSeenAt");

-- CreateIndex
CREATE UNIQUE INDEX "TrackedError_projectId_fingerprint_key" ON "TrackedError"("projectId", "fingerprint");

-- CreateIndex
CREATE INDEX "ErrorEvent_errorId_receivedAt_idx" ON "ErrorEvent"("errorId", "receivedAt");

-- CreateIndex
CREATE INDEX "ErrorEvent_receivedAt_idx" ON "ErrorEvent"("receivedAt");

-- CreateIndex
CREATE UNIQUE INDEX "ErrorEvent_errorId_slot_key" ON "ErrorEvent"("errorId", "slot");

-- CreateIndex
CREATE INDEX "ErrorHour_hour_idx" ON "ErrorHour"("hour");

-- CreateIndex
CREATE INDEX "ErrorIngest_hour_idx" ON "ErrorIngest"("hour");

-- CreateIndex
CREATE UNIQUE INDEX "Group_fullPathLower_key" ON "Group"("fullPathLower");

-- CreateIndex
CREATE INDEX "Group_parentId_idx" ON "Group"("parentId");

-- CreateIndex
CREATE INDEX "GroupAncestor_ancestorId_idx" ON "GroupAncestor"("ancestorId");

-- CreateIndex
CREATE UNIQUE INDEX "Project_fullPathLower_key" ON "Project"("fullPathLower");

-- CreateIndex
CREATE INDEX "Project_groupId_idx" ON "Project"("groupId");

-- CreateIndex
CREATE INDEX "Project_creatorId_idx" ON "Project"("creatorId");

-- CreateIndex
CREATE INDEX "Project_visibility_idx" ON "Project"("visibility");

-- CreateIndex
CREATE INDEX "Project_lastActivityAt_id_idx" ON "Project"("lastActivityAt", "id");

-- CreateIndex
CREATE INDEX "ProjectMember_userId_idx" ON "ProjectMember"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "ProjectMember_projectId_userId_key" ON "ProjectMember"("projectId", "userId");

-- CreateIndex
CREATE INDEX "GroupMember_userId_idx" ON "GroupMember"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "GroupMember_groupId_userId_key" ON "GroupMember"("groupId", "userId");

-- AddForeignKey
ALTER TABLE "ErrorTrackingSetting" ADD CONSTRAINT "ErrorTrackingSetting_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ErrorTrackingClientKey" ADD CONSTRAINT "ErrorTrackingClientKey_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TrackedError" ADD CONSTRAINT "TrackedError_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ErrorEvent" ADD CONSTRAINT "ErrorEvent_errorId_fkey" FOREIGN KEY ("errorId") REFERENCES "TrackedError"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ErrorFacet" ADD CONSTRAINT "ErrorFacet_errorId_fkey" FOREIGN KEY ("errorId") REFERENCES "TrackedError"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ErrorHour" ADD CONSTRAINT "ErrorHour_errorId_fkey" FOREIGN KEY ("errorId") REFERENCES "TrackedError"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ErrorUser" ADD CONSTRAINT "ErrorUser_errorId_fkey" FOREIGN KEY ("errorId") REFERENCES "TrackedError"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ErrorIngest" ADD CONSTRAINT "ErrorIngest_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Group" ADD CONSTRAINT "Group_parentId_fkey" FOREIGN KEY ("parentId") REFERENCES "Group"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "GroupAncestor" ADD CONSTRAINT "GroupAncestor_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "Group"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "GroupAncestor" ADD CONSTRAINT "GroupAncestor_ancestorId_fkey" FOREIGN KEY ("ancestorId") REFERENCES "Group"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Project" ADD CONSTRAINT "Project_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "Group"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Project" ADD CONSTRAINT "Project_creatorId_fkey" FOREIGN KEY ("creatorId") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ProjectMember" ADD CONSTRAINT "ProjectMember_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ProjectMember" ADD CONSTRAINT "ProjectMember_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "GroupMember" ADD CONSTRAINT "GroupMember_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "Group"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "GroupMember" ADD CONSTRAINT "GroupMember_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
