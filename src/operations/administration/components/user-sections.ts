import { isBot } from "@/access/principal";
import type { ListedUser } from "@/identity/users/administration";
import type { Section } from "@/ui/section-nav";
import type { DeletionImpact } from "../deletion-impact";

/** The sections of the page of a user in the administration. */
export const USER_SECTIONS = {
  account: { id: "section-account", label: "Account" },
  pendingEmail: { id: "section-new-email", label: "New e-mail address" },
  email: { id: "section-email", label: "E-mail address" },
  password: { id: "section-password", label: "Password" },
  secondFactor: { id: "section-second-factor", label: "Second factor" },
  rights: { id: "section-rights", label: "Administrator" },
  activity: { id: "section-activity", label: "Deactivate" },
  registration: { id: "section-registration", label: "Registration" },
  block: { id: "section-block", label: "Block" },
  secondFactors: { id: "section-second-factors", label: "Second factors" },
  sessions: { id: "section-sessions", label: "Sessions" },
  tokens: { id: "section-tokens", label: "Tokens" },
  authorized: { id: "section-authorized", label: "Authorizations" },
  applications: { id: "section-applications", label: "Applications" },
  events: { id: "section-events", label: "Audit events" },
  impersonation: { id: "section-impersonation", label: "Impersonation tokens" },
  deletion: { id: "section-deletion", label: "Delete" },
} as const satisfies Record<string, Section>;

type Shown = Readonly<{ user: ListedUser; impact: DeletionImpact; self: boolean }>;

/** Returns the sections of the page of a user, in the order of the page. */
export function userSections({ user, impact, self }: Shown): readonly Section[] {
  const sections = USER_SECTIONS;
  const isBeingDeleted = impact.deletion?.isRunning === true;
  return [
    sections.account,
    ...(isBeingDeleted ? [sections.deletion] : actionSections(user, self)),
    sections.secondFactors,
    sections.sessions,
    sections.tokens,
    sections.authorized,
    sections.applications,
    sections.events,
    ...(isBot(user) || isBeingDeleted ? [] : [sections.impersonation]),
    ...(self || isBeingDeleted ? [] : [sections.deletion]),
  ];
}

function actionSections(user: ListedUser, self: boolean): readonly Section[] {
  const sections = USER_SECTIONS;
  const account = [...(user.pendingEmail === null ? [] : [sections.pendingEmail]), sections.email];
  if (self) return account;
  const isActiveOrDeactivated = user.state === "active" || user.state === "deactivated";
  return [
    ...account,
    sections.password,
    ...(user.twoFactorSince === null ? [] : [sections.secondFactor]),
    sections.rights,
    ...(isActiveOrDeactivated ? [sections.activity] : []),
    user.state === "blocked_pending_approval" ? sections.registration : sections.block,
  ];
}
