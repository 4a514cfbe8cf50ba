import type { AuditName } from "@/instance/audit/catalog";
import type { RecordedEvent } from "@/instance/audit/service";
import type { AuditSource } from "./sources";

/** The audit events that webhooks for security events receive. */
const SECURITY_EVENTS: ReadonlySet<AuditName> = new Set<AuditName>([
  "sign_in.succeeded",
  "sign_in.failed",
  "sign_in.second_factor_failed",
  "provider_sign_in.refused",
  "password_reset.completed",
  "two_factor.disabled",
  "token.family_revoked",
  "token.revoked",
  "access.revoked",
  "consent.withdrawn",
  "application.tokens_revoked",
  "application.registered",
  "application.secret_added",
  "application.secret_removed",
  "access_token.created",
  "deploy_token.created",
  "deploy_token.revoked",
  "impersonation_token.created",
  "impersonation_token.revoked",
  "personal_token.created",
  "personal_token.rotated",
  "personal_token.revoked",
  "keys.rotated",
  "keys.withdrawn",
]);

export const isSecurityEvent = (name: AuditName): boolean => SECURITY_EVENTS.has(name);

/**
 * Returns the data of an audit event for the webhooks of the instance or of an application. The message to
 * the owner of an application does not name the administrator who caused the event.
 */
export function auditSourceFor(event: RecordedEvent, receiver: "instance" | "application"): AuditSource {
  const { name, details, at, userId, applicationId, actorId, byCommandLine } = event;
  return {
    kind: "audit",
    ...{ name, details, userId, applicationId, byCommandLine, at: at.toISOString() },
    actorId: receiver === "application" ? null : actorId,
  };
}
