import type { AuditEvents, AuditName } from "@/instance/audit/catalog";
import type { NoticeKind } from "../notices/templates";

type Notice = Readonly<{ kind: NoticeKind; facts: readonly (readonly [label: string, value: string])[] }>;

type NoticeOf<Name extends AuditName> = (details: AuditEvents[Name]) => Notice | null;

const notice = (kind: NoticeKind, ...facts: Notice["facts"]): Notice => ({ kind, facts });

/** The notice that users get by e-mail for each of these audit events. Other audit events cause no notice. */
const NOTICE_OF_EVENT: { readonly [Name in AuditName]?: NoticeOf<Name> } = {
  "profile.changed": ({ fields }) => (fields.includes("password") ? notice("password_changed") : null),
  "user.changed": ({ fields }) => (fields.includes("password") ? notice("password_changed") : null),
  "email_change.requested": () => notice("email_change_requested"),
  "totp.enrolled": () => notice("second_factor_added", ["Second factor", "Authenticator app"]),
  "passkey.added": ({ name }) => notice("second_factor_added", ["Passkey", name]),
  "passkey.removed": ({ name }) => notice("second_factor_removed", ["Passkey", name]),
  "two_factor.disabled": () => notice("second_factor_removed", ["Second factor", "All"]),
  "recovery_code.used": ({ left }) => notice("recovery_code_used", ["Unused recovery codes", String(left)]),
  "recovery_codes.renewed": () => notice("recovery_codes_replaced"),
  "personal_token.created": ({ scopes }) => notice("personal_token_created", ["Scopes", scopes.join(" ")]),
  "device.approved": ({ scopes }) => notice("device_authorized", ["Scopes", scopes.join(" ")]),
  "token.family_revoked": () => notice("grant_revoked"),
  "user.deactivated": () => notice("account_deactivated"),
  "identity.linked": ({ provider, account, by }) =>
    by === "new_account" ? null : notice("identity_linked", ["Linked account", `${account} at ${provider}`]),
  "identity.unlinked": ({ provider, account }) =>
    notice("identity_unlinked", ["Unlinked account", `${account} at ${provider}`]),
  "user.blocked": () => notice("account_blocked"),
};

/** Returns the notice that an audit event causes; null for an event that causes no notice. */
export function noticeOf<Name extends AuditName>(name: Name, details: AuditEvents[Name]): Notice | null {
  const create: NoticeOf<Name> | undefined = NOTICE_OF_EVENT[name];
  return create === undefined ? null : create(details);
}
