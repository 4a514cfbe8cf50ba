-- CreateTable
CREATE TABLE "Invitation" (
    "id" SERIAL NOT NULL,
    "key" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "groupId" INTEGER,
    "projectId" INTEGER,
    "role" INTEGER,
    "membershipExpiresAt" TIMESTAMP(3),
    "invitedById" INTEGER NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "sentAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Invitation_pkey" PRIMARY KEY ("id")
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

-- AddForeignKey
ALTER TABLE "Invitation" ADD CONSTRAINT "Invitation_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "Group"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Invitation" ADD CONSTRAINT "Invitation_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Invitation" ADD CONSTRAINT "Invitation_invitedById_fkey" FOREIGN KEY ("invitedById") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
