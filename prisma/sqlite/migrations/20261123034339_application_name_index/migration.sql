-- CreateIndex
CREATE INDEX "Application_name_idx" ON "Application"("name");
