-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_Application" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "uid" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "redirectUris" TEXT NOT NULL,
    "scopes" TEXT NOT NULL,
    "confidential" BOOLEAN NOT NULL,
    "trusted" BOOLEAN NOT NULL,
    "requiresPkce" BOOLEAN NOT NULL,
    "allowsPassword" BOOLEAN NOT NULL,
    "authMethod" TEXT,
    "jwks" TEXT,
    "jwksUri" TEXT,
    "idTokenAlgorithm" TEXT NOT NULL DEFAULT 'RS256',
    "ownerId" INTEGER,
    "groupId" INTEGER,
    "maintainerId" INTEGER,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "lastUsedAt" DATETIME,
    "blockedAt" DATETIME,
    CONSTRAINT "Application_ownerId_fkey" FOREIGN KEY ("ownerId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "Application_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "Group" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "Application_maintainerId_fkey" FOREIGN KEY ("maintainerId") REFERENCES "User" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);
INSERT INTO "new_Application" ("allowsPassword", "authMethod", "blockedAt", "confidential", "createdAt", "id", "idTokenAlgorithm", "jwks", "jwksUri", "lastUsedAt", "name", "ownerId", "redirectUris", "requiresPkce", "scopes", "trusted", "uid", "updatedAt") SELECT "allowsPassword", "authMethod", "blockedAt", "confidential", "createdAt", "id", "idTokenAlgorithm", "jwks", "jwksUri", "lastUsedAt", "name", "ownerId", "redirectUris", "requiresPkce", "scopes", "trusted", "uid", "updatedAt" FROM "Application";
-- The new table keeps the sequence of the ids, because audit events refer to the ids of deleted applications.
DELETE FROM "sqlite_sequence" WHERE "name" = 'new_Application';
INSERT INTO "sqlite_sequence" ("name", "seq") SELECT 'new_Application', "seq" FROM "sqlite_sequence" WHERE "name" = 'Application';
DROP TABLE "Application";
ALTER TABLE "new_Application" RENAME TO "Application";
CREATE UNIQUE INDEX "Application_uid_key" ON "Application"("uid");
CREATE INDEX "Application_ownerId_idx" ON "Application"("ownerId");
CREATE INDEX "Application_groupId_idx" ON "Application"("groupId");
CREATE INDEX "Application_maintainerId_idx" ON "Application"("maintainerId");
CREATE INDEX "Application_name_idx" ON "Application"("name");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
