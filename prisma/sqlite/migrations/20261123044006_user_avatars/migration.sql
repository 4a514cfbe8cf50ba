-- AlterTable
ALTER TABLE "User" ADD COLUMN "avatarDigest" TEXT;

-- CreateTable
CREATE TABLE "UserAvatar" (
    "userId" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "png" BLOB NOT NULL,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "UserAvatar_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
