-- AlterTable
ALTER TABLE "Webhook" ADD COLUMN     "urlChangedAt" TIMESTAMP(3);

-- CreateIndex
CREATE INDEX "WebhookDelivery_webhookId_state_idx" ON "WebhookDelivery"("webhookId", "state");
