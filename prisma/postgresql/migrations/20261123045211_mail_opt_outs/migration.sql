-- CreateTable
CREATE TABLE "MailOptOut" (
    "userId" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,

    CONSTRAINT "MailOptOut_pkey" PRIMARY KEY ("userId","kind")
);

-- AddForeignKey
ALTER TABLE "MailOptOut" ADD CONSTRAINT "MailOptOut_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
