-- CreateTable
CREATE TABLE "AccountDeletion" (
    "userId" INTEGER NOT NULL,
    "hard" BOOLEAN NOT NULL,
    "actorId" INTEGER,
    "requestedAt" TIMESTAMP(3) NOT NULL,
    "dueAt" TIMESTAMP(3) NOT NULL,
    "nextAttemptAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "AccountDeletion_pkey" PRIMARY KEY ("userId")
);

-- CreateIndex
CREATE INDEX "AccountDeletion_nextAttemptAt_idx" ON "AccountDeletion"("nextAttemptAt");

-- AddForeignKey
ALTER TABLE "AccountDeletion" ADD CONSTRAINT "AccountDeletion_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
