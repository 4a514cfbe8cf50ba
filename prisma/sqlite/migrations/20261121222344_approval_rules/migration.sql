-- CreateTable
CREATE TABLE "ApprovalRule" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "projectId" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "ruleType" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "approvalsRequired" INTEGER NOT NULL,
    CONSTRAINT "ApprovalRule_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ApprovalRuleUser" (
    "ruleId" INTEGER NOT NULL,
    "userId" INTEGER NOT NULL,

    PRIMARY KEY ("ruleId", "userId"),
    CONSTRAINT "ApprovalRuleUser_ruleId_fkey" FOREIGN KEY ("ruleId") REFERENCES "ApprovalRule" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "ApprovalRuleUser_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ApprovalRuleGroup" (
    "ruleId" INTEGER NOT NULL,
    "groupId" INTEGER NOT NULL,

    PRIMARY KEY ("ruleId", "groupId"),
    CONSTRAINT "ApprovalRuleGroup_ruleId_fkey" FOREIGN KEY ("ruleId") REFERENCES "ApprovalRule" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "ApprovalRuleGroup_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "Group" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "ApprovalRule_projectId_key_key" ON "ApprovalRule"("projectId", "key");

-- CreateIndex
CREATE INDEX "ApprovalRuleUser_userId_idx" ON "ApprovalRuleUser"("userId");

-- CreateIndex
CREATE INDEX "ApprovalRuleGroup_groupId_idx" ON "ApprovalRuleGroup"("groupId");

-- What was a number of the configuration is a rule for any approver.
INSERT INTO "ApprovalRule" ("projectId", "name", "ruleType", "key", "approvalsRequired")
SELECT "projectId", 'All Members', 'any_approver', 'any_approver', "approvalsRequired" FROM "ApprovalSetting" WHERE "approvalsRequired" > 0;

ALTER TABLE "ApprovalSetting" DROP COLUMN "approvalsRequired";
