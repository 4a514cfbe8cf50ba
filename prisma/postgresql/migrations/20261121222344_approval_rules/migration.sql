-- CreateTable
CREATE TABLE "ApprovalRule" (
    "id" SERIAL NOT NULL,
    "projectId" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "ruleType" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "approvalsRequired" INTEGER NOT NULL,

    CONSTRAINT "ApprovalRule_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ApprovalRuleUser" (
    "ruleId" INTEGER NOT NULL,
    "userId" INTEGER NOT NULL,

    CONSTRAINT "ApprovalRuleUser_pkey" PRIMARY KEY ("ruleId","userId")
);

-- CreateTable
CREATE TABLE "ApprovalRuleGroup" (
    "ruleId" INTEGER NOT NULL,
    "groupId" INTEGER NOT NULL,

    CONSTRAINT "ApprovalRuleGroup_pkey" PRIMARY KEY ("ruleId","groupId")
);

-- CreateIndex
CREATE UNIQUE INDEX "ApprovalRule_projectId_key_key" ON "ApprovalRule"("projectId", "key");

-- CreateIndex
CREATE INDEX "ApprovalRuleUser_userId_idx" ON "ApprovalRuleUser"("userId");

-- CreateIndex
CREATE INDEX "ApprovalRuleGroup_groupId_idx" ON "ApprovalRuleGroup"("groupId");

-- AddForeignKey
ALTER TABLE "ApprovalRule" ADD CONSTRAINT "ApprovalRule_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ApprovalRuleUser" ADD CONSTRAINT "ApprovalRuleUser_ruleId_fkey" FOREIGN KEY ("ruleId") REFERENCES "ApprovalRule"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ApprovalRuleUser" ADD CONSTRAINT "ApprovalRuleUser_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ApprovalRuleGroup" ADD CONSTRAINT "ApprovalRuleGroup_ruleId_fkey" FOREIGN KEY ("ruleId") REFERENCES "ApprovalRule"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ApprovalRuleGroup" ADD CONSTRAINT "ApprovalRuleGroup_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "Group"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What was a number of the configuration is a rule for any approver.
INSERT INTO "ApprovalRule" ("projectId", "name", "ruleType", "key", "approvalsRequired")
SELECT "projectId", 'All Members', 'any_approver', 'any_approver', "approvalsRequired" FROM "ApprovalSetting" WHERE "approvalsRequired" > 0;

ALTER TABLE "ApprovalSetting" DROP COLUMN "approvalsRequired";
