-- CreateTable
CREATE TABLE "HeldForm" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "sessionDigest" TEXT NOT NULL,
    "page" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "expiresAt" DATETIME NOT NULL
);

-- CreateIndex
CREATE INDEX "HeldForm_expiresAt_idx" ON "HeldForm"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "HeldForm_sessionDigest_page_key" ON "HeldForm"("sessionDigest", "page");
