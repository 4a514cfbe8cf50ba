import { type InvitationRefusal, VALID_DAYS } from "./rules";

/** The error texts for refused invitations. */
export const REFUSAL_TEXTS: Readonly<Record<InvitationRefusal | "gone", string>> = {
  not_allowed: "You cannot invite people with a role higher than your own. Select another role.",
  owners_may_not: "On this server, only administrators can invite people. Ask an administrator.",
  invalid_email: "Enter an e-mail address such as ann@example.com.",
  is_invited:
    "This e-mail address is already invited. You can send the invitation again from the list of invitations.",
  limited: "Too many invitations were sent. Try again in an hour.",
  gone: "This invitation no longer exists. Reload the list of invitations.",
};

/** The explanation of the form that invites a person. @param mailIsOn whether this instance has a mail server. */
export const aboutInvitations = (mailIsOn: boolean): string =>
  mailIsOn
    ? `The e-mail contains a link that is valid for ${VALID_DAYS} days. People without an account can create an account with the link, even if registration is closed.`
    : "This server sends no e-mail. The operator can read the link with gatehouse mail show.";
