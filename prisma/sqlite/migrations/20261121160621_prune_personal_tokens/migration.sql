-- CreateIndex
CREATE INDEX "PersonalAccessToken_expiresAt_idx" ON "PersonalAccessToken"("expiresAt");

-- CreateIndex
CREATE INDEX "PersonalAccessToken_revokedAt_idx" ON "PersonalAccessToken"("revokedAt");
