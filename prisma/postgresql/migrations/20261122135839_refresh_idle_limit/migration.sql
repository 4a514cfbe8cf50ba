-- Refresh tokens of new instances end after 90 days without use. An instance that there is already keeps what it has.
INSERT INTO "Setting" ("key", "value", "updatedAt")
SELECT 'refresh_token_idle_limit', '0', "createdAt" FROM "Instance"
WHERE NOT EXISTS (SELECT 1 FROM "Setting" WHERE "key" = 'refresh_token_idle_limit');
