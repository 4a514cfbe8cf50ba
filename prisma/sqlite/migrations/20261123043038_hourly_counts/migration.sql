-- CreateTable
CREATE TABLE "HourlyCount" (
    "name" TEXT NOT NULL,
    "application" TEXT NOT NULL,
    "hour" DATETIME NOT NULL,
    "count" INTEGER NOT NULL,

    PRIMARY KEY ("name", "application", "hour")
);

-- CreateIndex
CREATE INDEX "HourlyCount_name_hour_idx" ON "HourlyCount"("name", "hour");

-- CreateIndex
CREATE INDEX "HourlyCount_hour_idx" ON "HourlyCount"("hour");
