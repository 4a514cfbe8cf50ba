import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";

/** The names of the tables of the product. */
export const MODELS: readonly string[] = readdirSync("prisma/models").flatMap((name) =>
  [...readFileSync(`prisma/models/${name}`, "utf8").matchAll(/^model (\w+)/gm)].map(
    ([, model = ""]) => model,
  ),
);

/** For each folder with a store, the tables to which the store writes. */
const OWNED: Readonly<Record<string, string>> = {
  "src/code/protected-branches": "ProtectedBranch",
  "src/code/pushes": "BranchPush",
  "src/error-tracking/comments": "ErrorComment",
  "src/error-tracking/settings": "ErrorTrackingSetting ErrorTrackingClientKey",
  "src/error-tracking/tracked-errors": "TrackedError ErrorEvent ErrorFacet ErrorHour ErrorUser ErrorIngest",
  "src/fleet/geo": "GeoSite",
  "src/fleet/runners": "Runner RunnerProject RunnerTag",
  "src/identity/sessions": "Session HeldForm",
  "src/identity/providers": "IdentityProvider",
  "src/identity/linked-identities": "LinkedIdentity",
  "src/identity/provider-sign-in": "ProviderSignIn",
  "src/identity/two-factor": "TotpSecret RecoveryCode Passkey SpentProof",
  "src/identity/users": "User UserAvatar AccountDeletion",
  "src/instance/audit": "AuditEvent AuditChain",
  "src/instance/flags": "FeatureFlag",
  "src/instance/mail": "MailMessage MailOptOut",
  "src/instance/rate-limits": "RateCounter",
  "src/instance/settings": "Setting",
  "src/instance/lock": "Instance",
  "src/instance/secret-rotation": "SecretRotation",
  "src/instance/statistics": "HourlyCount",
  "src/oauth/application-bots": "ApplicationBot",
  "src/oauth/applications": "Application ApplicationSecret ApplicationLogo",
  "src/oauth/authorizations": "AuthorizationCode",
  "src/oauth/client-documents": "ClientDocument",
  "src/oauth/resource-servers": "ResourceIdentifier",
  "src/oauth/client-sessions": "ClientSession",
  "src/oauth/dynamic-clients": "DynamicClient",
  "src/oauth/consents": "Consent",
  "src/oauth/device-authorizations": "DeviceAuthorization",
  "src/oauth/failed-exchanges": "FailedExchange",
  "src/oauth/personal-access-tokens": "PersonalAccessToken",
  "src/oauth/pushed-requests": "PushedRequest",
  "src/oauth/signing-keys": "SigningKey",
  "src/oauth/tokens": "TokenFamily OauthToken",
  "src/oauth/used-jwts": "UsedJwt",
  "src/operations/deprecated-uses": "DeprecatedUse",
  "src/registries/container-registry": "ContainerRepository RegistryKey",
  "src/registries/packages": "PublishedPackage PublishedFile",
  "src/review/approvals":
    "ApprovalRule ApprovalRuleUser ApprovalRuleGroup ApprovalSetting MergeRequestApproval",
  "src/review/licenses": "ManagedLicense LicensePolicy LicenseFinding",
  "src/review/merge-requests": "MergeRequest MergeRequestPerson MergeRequestLabel MergeRequestVersion",
  "src/workspace/access-tokens": "AccessTokenBot",
  "src/workspace/deploy-tokens": "DeployToken",
  "src/webhooks/hooks": "Webhook",
  "src/webhooks/deliveries": "WebhookDelivery",
  "src/workspace/groups": "Group",
  "src/workspace/hierarchy": "GroupAncestor",
  "src/workspace/invitations": "Invitation",
  "src/workspace/members": "ProjectMember GroupMember",
  "src/workspace/projects": "Project",
};

const OWNERS: ReadonlyMap<string, string> = new Map(
  Object.entries(OWNED).flatMap(([folder, models]) =>
    models.split(" ").map((model): [string, string] => [model, folder]),
  ),
);

/** The stores whose file does not have the name of a store, each with the reason. */
const STORES: Readonly<Record<string, string>> = {
  "src/error-tracking/tracked-errors/record-events-sqlite.ts": "the writes of store.sql.ts on SQLite",
  "src/error-tracking/tracked-errors/record-events-postgresql-statements.ts":
    "the writes of store.sql.ts on PostgreSQL",
  "src/oauth/applications/owner.ts": "the SQL join that several stores insert into their statements",
  "src/oauth/applications/owner-blocked.ts":
    "the SQL condition that several stores insert into their statements",
  "src/oauth/tokens/insert-grant.ts": "the rows of a grant, which the write that claims the grant inserts",
  "src/oauth/used-jwts/claim-jwt.ts":
    "the row of a client assertion, which the write that stores a grant inserts",
};

/**
 * The tables that a store uses although another folder owns the table, with the reason why the store does not
 * call the owner of the table.
 */
const SHARED: Readonly<Record<string, readonly [models: string, reason: string]>> = {
  "src/error-tracking/comments/store.sql.ts": ["User", "a comment and its author are one statement"],
  "src/error-tracking/tracked-errors/record-events-sqlite.ts": [
    "Project ErrorTrackingSetting",
    "one group commit counts the stored bytes with the events",
  ],
  "src/error-tracking/tracked-errors/record-events-postgresql-statements.ts": [
    "Project ErrorTrackingSetting",
    "one group commit counts the stored bytes with the events",
  ],
  "src/fleet/runners/store.sql.ts": [
    "GroupAncestor",
    "one statement selects the runners of the groups of a user and of their descendants",
  ],
  "src/fleet/runners/store.ts": ["Project", "a row copies the groups of its project in the same transaction"],
  "src/identity/sessions/store.sql.ts": ["User", "a session and its user are one statement"],
  "src/instance/last-use/store.ts": [
    "TokenFamily Application PersonalAccessToken ApplicationSecret Session",
    "one buffer writes the times of the last use of all these tables",
  ],
  "src/oauth/application-bots/store.sql.ts": ["User", "a bot and the state of its user are one statement"],
  "src/oauth/applications/owner.ts": ["User Group", "an application and its owner are one statement"],
  "src/oauth/applications/store.sql.ts": [
    "User Group ApplicationBot",
    "an application, its owner and its bot are one statement, and the state of the owner decides about a client",
  ],
  "src/oauth/applications/owner-blocked.ts": [
    "User GroupAncestor GroupMember",
    "the states of the Owners of a group decide about a client: one statement",
  ],
  "src/oauth/applications/owner-store.ts": ["TokenFamily", "a list counts users: one query"],
  "src/oauth/authorizations/store.sql.ts": ["User", "a code and the state of its user are one statement"],
  "src/oauth/consents/store.sql.ts": ["Application", "a consent and its application are one statement"],
  "src/oauth/personal-access-tokens/store.sql.ts": [
    "User AccessTokenBot ProjectMember GroupMember GroupAncestor",
    "a token, its user and the right of its creator are one statement, because it runs at each request",
  ],
  "src/oauth/tokens/store.sql.ts": ["User Application", "a token, its user and its client are one statement"],
  "src/operations/deprecated-uses/store.sql.ts": [
    "User Application",
    "a use, its user and its application are one statement",
  ],
  "src/operations/deprecated-uses/store.ts": ["User Application", "a report names users and applications"],
  "src/operations/pruning/store.ts": [
    "User ProjectMember GroupMember AuthorizationCode DeviceAuthorization RateCounter SpentProof UsedJwt PushedRequest HeldForm ProviderSignIn MailMessage WebhookDelivery ClientSession FailedExchange HourlyCount Session PersonalAccessToken ErrorEvent ErrorTrackingSetting ErrorHour ErrorIngest TrackedError OauthToken TokenFamily",
    "removes the old rows of all tables by the same rules",
  ],
  "src/registries/container-registry/store.sql.ts": [
    "Project",
    "a repository and the path of its project are one statement",
  ],
  "src/review/approvals/store.sql.ts": [
    "User",
    "an approval and its approver are one statement, and so are the names of users by their ids",
  ],
  "src/review/merge-request-search/store.sql.ts": [
    "MergeRequest",
    "the lists of a project, which most callers request, are one statement each",
  ],
  "src/review/merge-request-search/store.ts": [
    "MergeRequest MergeRequestPerson MergeRequestLabel MergeRequestApproval User",
    "one query finds merge requests by their users, labels and approvals",
  ],
  "src/review/merge-requests/store.sql.ts": [
    "Project User",
    "a merge request, its project and its users are one statement",
  ],
  "src/review/merge-requests/lifecycle-store.ts": [
    "Project",
    "the lock on the project prevents deadlocks between updates",
  ],
  "src/review/merge-requests/store.ts": [
    "Project User",
    "a merge request is numbered under the lock of its project and copies its groups",
  ],
  "src/workspace/deploy-tokens/store.sql.ts": [
    "User ProjectMember GroupMember GroupAncestor",
    "a token, its creator and the right of the creator are one statement, because it runs at each request",
  ],
  "src/workspace/groups/store.sql.ts": [
    "GroupAncestor",
    "one statement selects the groups of a user and their descendants",
  ],
  "src/workspace/groups/store.ts": [
    "GroupAncestor Project",
    "a group is inserted with its ancestors and removed with its projects",
  ],
  "src/workspace/hierarchy/store.sql.ts": [
    "Group Project",
    "groups, members and projects query the descendants and ancestors of groups",
  ],
  "src/workspace/members/store.sql.ts": [
    "User Group GroupAncestor",
    "a member and the user are one statement, an inherited membership and its group are one, and so are the roles of a user in a group and its ancestors",
  ],
  "src/workspace/members/candidate-store.ts": ["User", "members of several groups are one query"],
  "src/workspace/members/list-store.ts": [
    "User",
    "members of a group or project, including inherited members, are one query",
  ],
  "src/workspace/members/membership-store.ts": [
    "Group GroupAncestor",
    "the paths of the groups of a user and of their descendants are one query",
  ],
  "src/workspace/members/store.ts": ["Project Group", "a change locks the row of the project or group"],
  "src/workspace/projects/store.sql.ts": [
    "Group GroupAncestor GroupMember ProjectMember User",
    "a project, its group and its creator are one statement, and so is the role of a user in it",
  ],
  "src/workspace/projects/store.ts": ["GroupAncestor", "a project copies the id of its top-level group"],
};

const sharedWith = (path: string): readonly string[] => SHARED[path]?.[0].split(" ") ?? [];

const delegateOf = (model: string): string => `${model.slice(0, 1).toLowerCase()}${model.slice(1)}`;
const MODEL_OF: ReadonlyMap<string, string> = new Map(MODELS.map((model) => [delegateOf(model), model]));
const DELEGATES = [...MODEL_OF.keys()].join("|");

const IN_PRISMA = new RegExp(
  `\\b(?:db|tx)\\s*\\.\\s*(${DELEGATES})\\b|\\.\\s*(${DELEGATES})\\s*\\.\\s*(?:find|create|update|upsert|delete|count|aggregate|groupBy)\\w*\\(`,
  "g",
);
const IN_SQL = /\b(?:FROM|JOIN|INTO|UPDATE)\s+"(\w+)"|\blockRow\([^()]*"(\w+)"/g;

/** Returns the models whose tables a source file reads or writes. */
export function modelsTouchedIn(text: string): readonly string[] {
  const inPrisma = [...text.matchAll(IN_PRISMA)].map(([, first, second]) =>
    MODEL_OF.get(first ?? second ?? ""),
  );
  const inSql = [...text.matchAll(IN_SQL)].map(([, first, second]) => first ?? second);
  return MODELS.filter((model) => inPrisma.includes(model) || inSql.includes(model));
}

/**
 * Returns the violations of a file: the file uses tables but is not a store, or uses tables of another
 * folder.
 */
export function misplacedTables(path: string, text: string): readonly string[] {
  const isStore = /\/(?:[a-z-]+-)?store(?:\.sql)?\.ts$/.test(path) || path in STORES;
  if (!isStore) return modelsTouchedIn(text).map((model) => `only a store touches a table: ${model}`);
  // A table name that a store inserts into an SQL statement is in quotes.
  const touched = MODELS.filter(
    (model) => modelsTouchedIn(text).includes(model) || text.includes(`"${model}"`),
  );
  const foreign = touched.filter((model) => OWNERS.get(model) !== posix.dirname(path));
  const shared = sharedWith(path);
  return [
    ...foreign
      .filter((model) => !shared.includes(model))
      .map((model) => `${model} belongs to ${OWNERS.get(model) ?? "no folder"}`),
    ...shared
      .filter((model) => !foreign.includes(model))
      .map((model) => `${model} does not need to be shared`),
    ...(path in STORES && touched.length === 0 ? ["the file does not need to be a store"] : []),
  ];
}

/** Returns the models that no folder owns, and the owned models that do not exist. */
export const modelsWithoutOwner = (): readonly string[] => [
  ...MODELS.filter((model) => !OWNERS.has(model)),
  ...[...OWNERS.keys()].filter((model) => !MODELS.includes(model)),
];
