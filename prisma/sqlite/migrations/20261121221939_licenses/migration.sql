-- CreateTable
CREATE TABLE "ManagedLicense" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "projectId" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "nameLower" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "ManagedLicense_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "LicensePolicy" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "projectId" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "allowList" TEXT NOT NULL,
    "denyList" TEXT NOT NULL,
    "approvalsRequired" INTEGER NOT NULL,
    "convertedFor" INTEGER,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    CONSTRAINT "LicensePolicy_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "LicenseFinding" (
    "mergeRequestId" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "baseSha" TEXT NOT NULL,
    "headSha" TEXT NOT NULL,
    "licenses" TEXT NOT NULL,
    "unreadable" TEXT NOT NULL,
    CONSTRAINT "LicenseFinding_mergeRequestId_fkey" FOREIGN KEY ("mergeRequestId") REFERENCES "MergeRequest" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "ManagedLicense_projectId_id_idx" ON "ManagedLicense"("projectId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "ManagedLicense_projectId_nameLower_key" ON "ManagedLicense"("projectId", "nameLower");

-- CreateIndex
CREATE UNIQUE INDEX "LicensePolicy_convertedFor_key" ON "LicensePolicy"("convertedFor");

-- CreateIndex
CREATE INDEX "LicensePolicy_projectId_id_idx" ON "LicensePolicy"("projectId", "id");
