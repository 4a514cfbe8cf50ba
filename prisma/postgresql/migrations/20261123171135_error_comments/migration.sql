-- CreateTable
CREATE TABLE "ErrorComment" (
    "id" SERIAL NOT NULL,
    "errorId" INTEGER NOT NULL,
    "authorId" INTEGER NOT NULL,
    "body" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ErrorComment_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "ErrorComment_errorId_id_idx" ON "ErrorComment"("errorId", "id");

-- CreateIndex
CREATE INDEX "ErrorComment_authorId_id_idx" ON "ErrorComment"("authorId", "id");

-- AddForeignKey
ALTER TABLE "ErrorComment" ADD CONSTRAINT "ErrorComment_errorId_fkey" FOREIGN KEY ("errorId") REFERENCES "TrackedError"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ErrorComment" ADD CONSTRAINT "ErrorComment_authorId_fkey" FOREIGN KEY ("authorId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
