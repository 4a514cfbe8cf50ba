-- CreateIndex
CREATE INDEX "User_admin_idx" ON "User"("admin");
