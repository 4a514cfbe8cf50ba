-- Nothing refers to events, and nothing has written any yet: their table is made anew.
DROP TABLE "ErrorEvent";

-- CreateTable
CREATE TABLE "ErrorEvent" (
    "errorId" INTEGER NOT NULL,
    "slot" INTEGER NOT NULL,
    "eventId" TEXT NOT NULL,
    "occurredAt" DATETIME NOT NULL,
    "receivedAt" DATETIME NOT NULL,
    "level" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "release" TEXT NOT NULL,
    "payload" TEXT NOT NULL,

    PRIMARY KEY ("errorId", "slot"),
    CONSTRAINT "ErrorEvent_errorId_fkey" FOREIGN KEY ("errorId") REFERENCES "TrackedError" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "ErrorEvent_receivedAt_idx" ON "ErrorEvent"("receivedAt");

-- AlterTable
ALTER TABLE "TrackedError" ADD COLUMN "nextSlot" INTEGER NOT NULL DEFAULT 0;
