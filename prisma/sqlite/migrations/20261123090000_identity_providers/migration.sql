-- CreateTable
CREATE TABLE "IdentityProvider" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "name" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "sealedSecret" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "createsAccounts" BOOLEAN NOT NULL,
    "linksByEmail" BOOLEAN NOT NULL,
    "trustsEmails" BOOLEAN NOT NULL,
    "allowedDomains" TEXT NOT NULL,
    "enforcedDomains" TEXT NOT NULL,
    "groupsClaim" TEXT NOT NULL,
    "groupRules" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "LinkedIdentity" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "userId" INTEGER NOT NULL,
    "provider" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "account" TEXT NOT NULL,
    "mappedRoles" TEXT NOT NULL DEFAULT '{}',
    "createdAt" DATETIME NOT NULL,
    "lastUsedAt" DATETIME,
    CONSTRAINT "LinkedIdentity_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ProviderSignIn" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "stateDigest" TEXT NOT NULL,
    "browserDigest" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "expiresAt" DATETIME NOT NULL
);

-- CreateIndex
CREATE UNIQUE INDEX "IdentityProvider_name_key" ON "IdentityProvider"("name");

-- CreateIndex
CREATE UNIQUE INDEX "LinkedIdentity_provider_issuer_subject_key" ON "LinkedIdentity"("provider", "issuer", "subject");

-- CreateIndex
CREATE UNIQUE INDEX "LinkedIdentity_userId_provider_key" ON "LinkedIdentity"("userId", "provider");

-- CreateIndex
CREATE UNIQUE INDEX "ProviderSignIn_stateDigest_key" ON "ProviderSignIn"("stateDigest");

-- CreateIndex
CREATE INDEX "ProviderSignIn_expiresAt_idx" ON "ProviderSignIn"("expiresAt");
