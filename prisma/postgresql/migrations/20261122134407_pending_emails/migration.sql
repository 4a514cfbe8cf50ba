-- AlterTable
ALTER TABLE "User" ADD COLUMN     "pendingEmail" TEXT,
ADD COLUMN     "pendingEmailAt" TIMESTAMP(3);

-- CreateIndex
CREATE INDEX "User_pendingEmailAt_idx" ON "User"("pendingEmailAt");

-- Addresses that nobody has confirmed were handed to clients.
UPDATE "User" SET
  "pendingEmail" = "email",
  "pendingEmailAt" = "createdAt",
  "email" = 'unconfirmed-' || "id" || '@users.noreply.invalid',
  "emailLower" = 'unconfirmed-' || "id" || '@users.noreply.invalid'
WHERE "emailVerified" = false;
