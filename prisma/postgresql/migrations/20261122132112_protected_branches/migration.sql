-- CreateTable
CREATE TABLE "ProtectedBranch" (
    "id" SERIAL NOT NULL,
    "projectId" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "pushAccessLevel" INTEGER NOT NULL,
    "mergeAccessLevel" INTEGER NOT NULL,
    "allowForcePush" BOOLEAN NOT NULL,
    "followsDefault" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ProtectedBranch_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "ProtectedBranch_projectId_name_key" ON "ProtectedBranch"("projectId", "name");

-- AddForeignKey
ALTER TABLE "ProtectedBranch" ADD CONSTRAINT "ProtectedBranch_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Protect the default branch of existing projects. The server renames the rule where the default branch is another one.
INSERT INTO "ProtectedBranch" ("projectId", "name", "pushAccessLevel", "mergeAccessLevel", "allowForcePush", "followsDefault", "createdAt")
SELECT "id", 'main', 40, 40, false, true, "createdAt" FROM "Project";
