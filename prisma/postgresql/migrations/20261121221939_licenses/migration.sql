-- CreateTable
CREATE TABLE "ManagedLicense" (
    "id" SERIAL NOT NULL,
    "projectId" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "nameLower" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ManagedLicense_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "LicensePolicy" (
    "id" SERIAL NOT NULL,
    "projectId" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "allowList" TEXT NOT NULL,
    "denyList" TEXT NOT NULL,
    "approvalsRequired" INTEGER NOT NULL,
    "convertedFor" INTEGER,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "LicensePolicy_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "LicenseFinding" (
    "mergeRequestId" INTEGER NOT NULL,
    "baseSha" TEXT NOT NULL,
    "headSha" TEXT NOT NULL,
    "licenses" TEXT NOT NULL,
    "unreadable" TEXT NOT NULL,

    CONSTRAINT "LicenseFinding_pkey" PRIMARY KEY ("mergeRequestId")
);

-- CreateIndex
CREATE INDEX "ManagedLicense_projectId_id_idx" ON "ManagedLicense"("projectId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "ManagedLicense_projectId_nameLower_key" ON "ManagedLicense"("projectId", "nameLower");

-- CreateIndex
CREATE UNIQUE INDEX "LicensePolicy_convertedFor_key" ON "LicensePolicy"("convertedFor");

-- CreateIndex
CREATE INDEX "LicensePolicy_projectId_id_idx" ON "LicensePolicy"("projectId", "id");

-- AddForeignKey
ALTER TABLE "ManagedLicense" ADD CONSTRAINT "ManagedLicense_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "LicensePolicy" ADD CONSTRAINT "LicensePolicy_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "LicenseFinding" ADD CONSTRAINT "LicenseFinding_mergeRequestId_fkey" FOREIGN KEY ("mergeRequestId") REFERENCES "MergeRequest"("id") ON DELETE CASCADE ON UPDATE CASCADE;
