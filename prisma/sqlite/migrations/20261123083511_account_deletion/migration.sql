-- CreateTable
CREATE TABLE "AccountDeletion" (
    "userId" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "hard" BOOLEAN NOT NULL,
    "actorId" INTEGER,
    "requestedAt" DATETIME NOT NULL,
    "dueAt" DATETIME NOT NULL,
    "nextAttemptAt" DATETIME NOT NULL,
    CONSTRAINT "AccountDeletion_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "AccountDeletion_nextAttemptAt_idx" ON "AccountDeletion"("nextAttemptAt");
