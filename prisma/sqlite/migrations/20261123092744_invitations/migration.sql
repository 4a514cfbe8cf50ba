-- CreateTable
CREATE TABLE "Invitation" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "key" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "groupId" INTEGER,
    "projectId" INTEGER,
    "role" INTEGER,
    "membershipExpiresAt" DATETIME,
    "invitedById" INTEGER NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "sentAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    CONSTRAINT "Invitation_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "Group" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "Invitation_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "Invitation_invitedById_fkey" FOREIGN KEY ("invitedById") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "Invitation_key_key" ON "Invitation"("key");

-- CreateIndex
CREATE INDEX "Invitation_groupId_id_idx" ON "Invitation"("groupId", "id");

-- CreateIndex
CREATE INDEX "Invitation_projectId_id_idx" ON "Invitation"("projectId", "id");

-- CreateIndex
CREATE INDEX "Invitation_invitedById_idx" ON "Invitation"("invitedById");

-- CreateIndex
CREATE INDEX "Invitation_expiresAt_idx" ON "Invitation"("expiresAt");
