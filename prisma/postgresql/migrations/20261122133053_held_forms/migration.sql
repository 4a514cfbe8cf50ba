-- CreateTable
CREATE TABLE "HeldForm" (
    "id" SERIAL NOT NULL,
    "sessionDigest" TEXT NOT NULL,
    "page" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "HeldForm_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "HeldForm_expiresAt_idx" ON "HeldForm"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "HeldForm_sessionDigest_page_key" ON "HeldForm"("sessionDigest", "page");
