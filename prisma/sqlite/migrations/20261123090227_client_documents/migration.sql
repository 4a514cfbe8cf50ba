-- CreateTable
CREATE TABLE "ClientDocument" (
    "applicationId" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "clientName" TEXT,
    "fetchedAt" DATETIME NOT NULL,
    "freshUntil" DATETIME NOT NULL,
    CONSTRAINT "ClientDocument_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
