-- AlterTable
ALTER TABLE "AuditEvent" ADD COLUMN     "actorId" INTEGER;

-- CreateIndex
CREATE INDEX "AuditEvent_name_at_id_idx" ON "AuditEvent"("name", "at", "id");

-- CreateIndex
CREATE INDEX "AuditEvent_applicationId_at_id_idx" ON "AuditEvent"("applicationId", "at", "id");

-- CreateIndex
CREATE INDEX "AuditEvent_actorId_at_id_idx" ON "AuditEvent"("actorId", "at", "id");
