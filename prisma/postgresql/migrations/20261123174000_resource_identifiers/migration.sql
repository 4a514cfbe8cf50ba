-- CreateTable
CREATE TABLE "ResourceIdentifier" (
    "uri" TEXT NOT NULL,
    "applicationId" INTEGER NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ResourceIdentifier_pkey" PRIMARY KEY ("uri")
);

-- CreateIndex
CREATE INDEX "ResourceIdentifier_applicationId_idx" ON "ResourceIdentifier"("applicationId");

-- AddForeignKey
ALTER TABLE "ResourceIdentifier" ADD CONSTRAINT "ResourceIdentifier_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application"("id") ON DELETE CASCADE ON UPDATE CASCADE;
