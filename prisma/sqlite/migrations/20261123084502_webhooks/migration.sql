-- CreateTable
CREATE TABLE "Webhook" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "uid" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "groupId" INTEGER,
    "projectId" INTEGER,
    "applicationId" INTEGER,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "sealedUrl" TEXT NOT NULL,
    "sealedToken" TEXT,
    "sealedSecret" TEXT NOT NULL,
    "pushEvents" BOOLEAN NOT NULL,
    "tagPushEvents" BOOLEAN NOT NULL,
    "mergeRequestsEvents" BOOLEAN NOT NULL,
    "errorEvents" BOOLEAN NOT NULL,
    "securityEvents" BOOLEAN NOT NULL,
    "auditEvents" BOOLEAN NOT NULL,
    "branchFilter" TEXT NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "disabledUntil" DATETIME,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "Webhook_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "Group" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "Webhook_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "Webhook_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "WebhookDelivery" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "webhookId" INTEGER NOT NULL,
    "uid" TEXT NOT NULL,
    "eventUid" TEXT NOT NULL,
    "dedupeKey" TEXT,
    "trigger" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "body" TEXT,
    "state" TEXT NOT NULL,
    "isManual" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "nextAttemptAt" DATETIME NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "endedAt" DATETIME,
    "requestHeaders" TEXT,
    "responseStatus" INTEGER,
    "responseHeaders" TEXT,
    "responseBody" TEXT,
    "durationMs" INTEGER,
    "lastError" TEXT,
    CONSTRAINT "WebhookDelivery_webhookId_fkey" FOREIGN KEY ("webhookId") REFERENCES "Webhook" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "Webhook_uid_key" ON "Webhook"("uid");

-- CreateIndex
CREATE INDEX "Webhook_kind_id_idx" ON "Webhook"("kind", "id");

-- CreateIndex
CREATE INDEX "Webhook_groupId_id_idx" ON "Webhook"("groupId", "id");

-- CreateIndex
CREATE INDEX "Webhook_projectId_id_idx" ON "Webhook"("projectId", "id");

-- CreateIndex
CREATE INDEX "Webhook_applicationId_id_idx" ON "Webhook"("applicationId", "id");

-- CreateIndex
CREATE INDEX "WebhookDelivery_state_nextAttemptAt_idx" ON "WebhookDelivery"("state", "nextAttemptAt");

-- CreateIndex
CREATE INDEX "WebhookDelivery_webhookId_id_idx" ON "WebhookDelivery"("webhookId", "id");

-- CreateIndex
CREATE INDEX "WebhookDelivery_dedupeKey_idx" ON "WebhookDelivery"("dedupeKey");

-- CreateIndex
CREATE INDEX "WebhookDelivery_createdAt_idx" ON "WebhookDelivery"("createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "WebhookDelivery_webhookId_dedupeKey_key" ON "WebhookDelivery"("webhookId", "dedupeKey");
