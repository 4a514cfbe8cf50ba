-- CreateTable
CREATE TABLE "MailOptOut" (
    "userId" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,

    PRIMARY KEY ("userId", "kind"),
    CONSTRAINT "MailOptOut_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
