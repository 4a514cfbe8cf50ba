import type { AuditEvents, AuditName } from "@/instance/audit/catalog";

/** An event in words: `{person}` and `{application}` stand for whom and what it is about, after who did it. */
type Words<Name extends AuditName> = Readonly<{
  label: string;
  says: (details: AuditEvents[Name]) => string;
}>;

const listed = (words: readonly string[]): string => words.join(", ");

/** Every event. The sentence goes on after the name of whoever did it. */
const WORDS: { readonly [Name in AuditName]: Words<Name> } = {
  "group.created": { label: "Group created", says: ({ path }) => `created the group ${path}` },
  "group.changed": { label: "Group changed", says: ({ path }) => `changed the group ${path}` },
  "group.removed": { label: "Group removed", says: ({ path }) => `removed the group ${path}` },
  "project.created": { label: "Project created", says: ({ path }) => `created the project ${path}` },
  "project.changed": { label: "Project changed", says: ({ path }) => `changed the project ${path}` },
  "project.removed": { label: "Project removed", says: ({ path }) => `removed the project ${path}` },
  "approval_rule.created": {
    label: "Approval rule created",
    says: ({ path, name, approvalsRequired }) =>
      `created the approval rule ${name} of ${path}, for ${approvalsRequired}`,
  },
  "approval_rule.changed": {
    label: "Approval rule changed",
    says: ({ path, name, approvalsRequired }) =>
      `changed the approval rule ${name} of ${path}, for ${approvalsRequired}`,
  },
  "approval_rule.removed": {
    label: "Approval rule removed",
    says: ({ path, name }) => `removed the approval rule ${name} of ${path}`,
  },
  "protected_branch.created": {
    label: "Branch protected",
    says: ({ path, name, ...rule }) => `protected the branch ${name} of ${path}: ${protection(rule)}`,
  },
  "protected_branch.changed": {
    label: "Branch protection changed",
    says: ({ path, name, ...rule }) =>
      `changed the protection of the branch ${name} of ${path}: ${protection(rule)}`,
  },
  "protected_branch.removed": {
    label: "Branch unprotected",
    says: ({ path, name }) => `removed the protection of the branch ${name} of ${path}`,
  },
  "repository.pushed": {
    label: "Pushed",
    says: ({ path, references, more }) =>
      `pushed to ${path}: ${listed(references.map(referenceChange))}${more === 0 ? "" : ` and ${more} more`}`,
  },
  "merge_request.merged": {
    label: "Merge request merged",
    says: ({ path, iid, sourceBranch, targetBranch, commit }) =>
      `merged ${path}!${iid}, ${sourceBranch} into ${targetBranch}, at ${short(commit)}`,
  },
  "merge_request.approved": {
    label: "Merge request approved",
    says: ({ path, iid, commit }) => `approved ${path}!${iid} at ${short(commit)}`,
  },
  "merge_request.unapproved": {
    label: "Approval withdrawn",
    says: ({ path, iid, commit }) => `withdrew the approval of ${path}!${iid} at ${short(commit)}`,
  },
  "member.added": {
    label: "Member added",
    says: ({ kind, path, role }) => `made {person} ${role} of the ${kind} ${path}`,
  },
  "member.changed": {
    label: "Member changed",
    says: ({ kind, path, role }) => `made {person} ${role} of the ${kind} ${path}`,
  },
  "member.removed": {
    label: "Member removed",
    says: ({ kind, path }) => `removed {person} from the ${kind} ${path}`,
  },
  "error_tracking.changed": {
    label: "Error tracking changed",
    says: ({ path, active }) => `turned error tracking ${active ? "on" : "off"} in ${path}`,
  },
  "client_key.created": {
    label: "Client key created",
    says: ({ path }) => `created a client key of ${path}`,
  },
  "client_key.removed": {
    label: "Client key removed",
    says: ({ path }) => `removed a client key of ${path}`,
  },
  "managed_license.added": {
    label: "License added",
    says: ({ name, status, path }) => `made the license ${name} ${status} in ${path}`,
  },
  "managed_license.changed": {
    label: "License changed",
    says: ({ name, status, path }) => `made the license ${name} ${status} in ${path}`,
  },
  "managed_license.removed": {
    label: "License removed",
    says: ({ name, path }) => `removed the license ${name} from ${path}`,
  },
  "license_policy.created": {
    label: "License policy created",
    says: ({ name, path }) => `created the license policy ${name} of ${path}`,
  },
  "license_policy.changed": {
    label: "License policy changed",
    says: ({ name, path }) => `changed the license policy ${name} of ${path}`,
  },
  "license_policy.removed": {
    label: "License policy removed",
    says: ({ name, path }) => `removed the license policy ${name} of ${path}`,
  },
  "license_policy.converted": {
    label: "Licenses converted",
    says: ({ name, path }) => `turned the managed licenses of ${path} into the policy ${name}`,
  },
  "geo_site.created": { label: "Geo site created", says: ({ name }) => `created the Geo site ${name}` },
  "geo_site.changed": { label: "Geo site changed", says: ({ name }) => `changed the Geo site ${name}` },
  "geo_site.removed": { label: "Geo site removed", says: ({ name }) => `removed the Geo site ${name}` },
  "runner.created": { label: "Runner created", says: ({ id }) => `created runner ${id}` },
  "runner.changed": { label: "Runner changed", says: ({ id }) => `changed runner ${id}` },
  "runner.removed": { label: "Runner removed", says: ({ id }) => `removed runner ${id}` },
  "runner.token_reset": {
    label: "Runner token reset",
    says: ({ id }) => `gave runner ${id} another token`,
  },
  "runner.assigned": {
    label: "Runner assigned",
    says: ({ id, path }) => `let runner ${id} work for ${path}`,
  },
  "runner.unassigned": {
    label: "Runner unassigned",
    says: ({ id, path }) => `took runner ${id} from ${path}`,
  },
  "package.file_published": {
    label: "Package file published",
    says: ({ path, name, version, file, replaced }) =>
      `${replaced ? "replaced" : "published"} ${file} of ${name} ${version} in ${path}`,
  },
  "package.file_removed": {
    label: "Package file removed",
    says: ({ path, name, version, file }) => `removed ${file} of ${name} ${version} from ${path}`,
  },
  "package.removed": {
    label: "Package removed",
    says: ({ path, name, version }) => `removed the package ${name} ${version} from ${path}`,
  },
  "personal_token.rotated": {
    label: "Personal access token rotated",
    says: () => "exchanged a personal access token for a new one",
  },
  "profile.changed": {
    label: "Profile changed",
    says: ({ fields }) => `changed their ${listed(fields.map((field) => field.replace("_", " ")))}`,
  },
  "access.revoked": {
    label: "Access revoked",
    says: ({ because, grants, personalTokens }) =>
      `${ACCESS_REVOKED[because]}: ${counted(grants, "grant")} and ${counted(personalTokens, "personal access token")} of {person} were revoked`,
  },
  "email_change.requested": {
    label: "E-mail address requested",
    says: () => "asked for another e-mail address",
  },
  "email_change.canceled": {
    label: "E-mail address request canceled",
    says: () => "canceled the request for another e-mail address",
  },
  "session.ended": {
    label: "Sessions ended",
    says: ({ count }) => `ended ${count === 1 ? "a session" : `${count} sessions`} in other browsers`,
  },
  "application.registered": {
    label: "Application registered",
    says: ({ scopes }) => `registered {application} with ${listed(scopes)}`,
  },
  "application.changed": { label: "Application changed", says: () => "changed {application}" },
  "application.removed": { label: "Application removed", says: ({ name }) => `removed ${name}` },
  "application.secret_added": {
    label: "Application secret added",
    says: () => "added a secret to {application}",
  },
  "application.secret_removed": {
    label: "Application secret removed",
    says: () => "removed a secret of {application}",
  },
  "application.logo_changed": {
    label: "Application logo changed",
    says: ({ removed }) =>
      removed ? "removed the logo of {application}" : "changed the logo of {application}",
  },
  "application.blocked": { label: "Application blocked", says: () => "blocked {application}" },
  "application.unblocked": { label: "Application unblocked", says: () => "unblocked {application}" },
  "application.trust_changed": {
    label: "Application trusted or not",
    says: ({ trusted }) =>
      trusted ? "let {application} skip consent" : "made {application} ask for consent again",
  },
  "application.tokens_revoked": {
    label: "Tokens of an application revoked",
    says: ({ uncovered }) =>
      uncovered
        ? "revoked the grants of {application} that exceed its scopes"
        : "revoked every token of {application}",
  },
  "consent.given": {
    label: "Consent given",
    says: ({ scopes }) => `allowed {application} ${listed(scopes)}`,
  },
  "consent.withdrawn": {
    label: "Consent withdrawn",
    says: () => "withdrew what {application} was allowed",
  },
  "token.revoked": {
    label: "Token revoked",
    says: ({ by }) =>
      by === "operator"
        ? "revoked a token of {application} that {person} had"
        : `lost a token of {application}, revoked by ${REVOKED_BY[by]}`,
  },
  "token.family_revoked": {
    label: "Tokens revoked for misuse",
    says: ({ because }) => REVOKED_BECAUSE[because],
  },
  "device.approved": {
    label: "Device allowed",
    says: ({ scopes }) => `allowed a device to use {application} with ${listed(scopes)}`,
  },
  "device.denied": {
    label: "Device denied",
    says: ({ reported }) =>
      reported
        ? "denied a device that asked for {application}, and reported it: this was not them"
        : "denied a device that asked for {application}",
  },
  "sign_in.succeeded": { label: "Signed in", says: ({ address }) => `signed in from ${address}` },
  "sign_in.failed": {
    label: "Sign-in failed",
    says: ({ address }) => `did not get in with a wrong password from ${address}`,
  },
  "sign_in.confirmed": {
    label: "Identity confirmed",
    says: ({ address }) => `proved anew who they are from ${address}`,
  },
  "sign_in.second_factor_failed": {
    label: "Second factor failed",
    says: ({ address }) => `did not get in with a wrong second factor from ${address}`,
  },
  "user.registered": {
    label: "Person registered",
    says: ({ address }) => `registered an account from ${address}`,
  },
  "two_factor.enabled": { label: "Second factor set up", says: () => "set up a second factor" },
  "two_factor.disabled": {
    label: "Second factor removed",
    says: ({ by }) => FACTOR_REMOVED_BY[by],
  },
  "totp.enrolled": { label: "Authenticator app set up", says: () => "set up an authenticator app" },
  "passkey.added": { label: "Passkey added", says: ({ name }) => `added the passkey ${name}` },
  "passkey.removed": { label: "Passkey removed", says: ({ name }) => `removed the passkey ${name}` },
  "recovery_code.used": {
    label: "Recovery code used",
    says: ({ left }) => `used a recovery code; ${left} are left`,
  },
  "recovery_codes.renewed": { label: "Recovery codes renewed", says: () => "renewed their recovery codes" },
  "personal_token.created": {
    label: "Access token made",
    says: ({ scopes }) => `made an access token with ${listed(scopes)}`,
  },
  "personal_token.revoked": { label: "Access token revoked", says: () => "revoked an access token" },
  "user.created": {
    label: "Person created",
    says: ({ admin }) => (admin ? "made {person}, an administrator" : "made {person}"),
  },
  "user.changed": {
    label: "Person changed",
    says: ({ fields }) => `changed ${listed(fields.map((field) => field.replace("_", " ")))} of {person}`,
  },
  "user.blocked": { label: "Person blocked", says: () => "blocked {person}" },
  "user.unblocked": { label: "Person unblocked", says: () => "unblocked {person}" },
  "user.admin_changed": {
    label: "Administrator changed",
    says: ({ admin }) =>
      admin ? "made {person} an administrator" : "took the administrator's rights from {person}",
  },
  "setting.changed": {
    label: "Setting changed",
    says: ({ keys, to = {} }) => listed(keys.map((key) => `set ${key}${newValue(to[key])}`)),
  },
  "flag.changed": {
    label: "Feature flag switched",
    says: ({ name, enabled }) =>
      enabled === null ? `put ${name} back to its default` : `switched ${name} ${enabled ? "on" : "off"}`,
  },
  "keys.rotated": { label: "Signing keys rotated", says: ({ kid }) => `rotated the signing keys to ${kid}` },
  "registry.certificate_made": {
    label: "Registry certificate made",
    says: () => "made a certificate for the container registry",
  },
  "registry.repository_removed": {
    label: "Container images removed",
    says: ({ path }) => `removed the container images ${path}`,
  },
  "registry.tags_removed": {
    label: "Container tags removed",
    says: ({ path, tag }) =>
      tag === null ? `asked to remove tags of ${path} in bulk` : `removed the tag ${tag} of ${path}`,
  },
};

const short = (id: string): string => (/^0+$/.test(id) ? "nothing" : id.slice(0, 8));

const referenceChange = ({
  ref,
  before,
  after,
}: AuditEvents["repository.pushed"]["references"][number]): string =>
  `${ref.replace(/^refs\/(?:heads|tags)\//, "")} from ${short(before)} to ${short(after)}`;

type Protection = Pick<
  AuditEvents["protected_branch.created"],
  "pushAccessLevel" | "mergeAccessLevel" | "allowForcePush"
>;

const protection = ({ pushAccessLevel, mergeAccessLevel, allowForcePush }: Protection): string =>
  `push ${pushAccessLevel}, merge ${mergeAccessLevel}, force push ${allowForcePush ? "allowed" : "refused"}`;

const REVOKED_BECAUSE = {
  code_replay: "lost the tokens of {application}: its authorization code was used twice",
  refresh_reuse: "lost the tokens of {application}: a spent refresh token was used again",
  personal_token_reuse: "lost a personal access token: one that it had replaced was used again",
} as const;

const ACCESS_REVOKED = {
  password_changed: "changed the password",
  password_reset: "reset the password",
  blocked: "blocked the account",
} as const satisfies Record<AuditEvents["access.revoked"]["because"], string>;

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

const REVOKED_BY = {
  client: "the application",
  holder: "whoever held it",
  owner: "its owner",
} as const satisfies Record<Exclude<AuditEvents["token.revoked"]["by"], "operator">, string>;

const FACTOR_REMOVED_BY = {
  owner: "removed their second factor",
  operator: "removed the second factor of {person}",
  administrator: "removed the second factor of {person}",
} as const satisfies Record<AuditEvents["two_factor.disabled"]["by"], string>;

const newValue = (value: boolean | number | string | null | undefined): string => {
  if (value === undefined) return "";
  return value === null ? " back to its default" : ` to ${value}`;
};

/** The names that events can have, with what each is called. */
export const EVENT_LABELS: readonly Readonly<{ name: AuditName; label: string }>[] = (
  Object.keys(WORDS) as AuditName[]
).map((name) => ({ name, label: WORDS[name].label }));

export const isAuditName = (name: string): name is AuditName => Object.hasOwn(WORDS, name);

/** What an event is called; its name when another version wrote it. */
export const labelOf = (name: string): string => (isAuditName(name) ? WORDS[name].label : name);

/** What somebody did, with `{person}` and `{application}` in it; the event's name when another version wrote it. */
export function describeEvent(name: string, details: string): string {
  if (!isAuditName(name)) return name;
  // The catalogue types what `record` stores, so each name finds the details that it was stored with.
  const { says } = WORDS[name] as Words<AuditName>;
  try {
    return says(JSON.parse(details) as never);
  } catch {
    return name;
  }
}
