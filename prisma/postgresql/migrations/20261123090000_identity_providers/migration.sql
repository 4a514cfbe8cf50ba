-- CreateTable
CREATE TABLE "IdentityProvider" (
    "id" SERIAL NOT NULL,
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
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "IdentityProvider_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "LinkedIdentity" (
    "id" SERIAL NOT NULL,
    "userId" INTEGER NOT NULL,
    "provider" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "account" TEXT NOT NULL,
    "mappedRoles" TEXT NOT NULL DEFAULT '{}',
    "createdAt" TIMESTAMP(3) NOT NULL,
    "lastUsedAt" TIMESTAMP(3),

    CONSTRAINT "LinkedIdentity_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ProviderSignIn" (
    "id" SERIAL NOT NULL,
    "stateDigest" TEXT NOT NULL,
    "browserDigest" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ProviderSignIn_pkey" PRIMARY KEY ("id")
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

-- AddForeignKey
ALTER TABLE "LinkedIdentity" ADD CONSTRAINT "LinkedIdentity_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
