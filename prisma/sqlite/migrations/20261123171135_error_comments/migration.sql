-- CreateTable
CREATE TABLE "ErrorComment" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "errorId" INTEGER NOT NULL,
    "authorId" INTEGER NOT NULL,
    "body" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "ErrorComment_errorId_fkey" FOREIGN KEY ("errorId") REFERENCES "TrackedError" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "ErrorComment_authorId_fkey" FOREIGN KEY ("authorId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "ErrorComment_errorId_id_idx" ON "ErrorComment"("errorId", "id");

-- CreateIndex
CREATE INDEX "ErrorComment_authorId_id_idx" ON "ErrorComment"("authorId", "id");
