-- AlterTable
ALTER TABLE "Webhook" ADD COLUMN "urlChangedAt" DATETIME;

-- CreateIndex
CREATE INDEX "WebhookDelivery_webhookId_state_idx" ON "WebhookDelivery"("webhookId", "state");
