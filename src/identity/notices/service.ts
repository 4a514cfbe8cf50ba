import type { User } from "@/access/principal";
import { isMailWanted, unsubscribeUrl } from "@/instance/mail/opt-outs";
import { sendMail } from "@/instance/mail/service";
import type { Deps } from "@/kernel/deps/deps";
import type { Browser } from "@/kernel/http/form-response";
import { describeUserAgent } from "@/kernel/http/user-agent";
import { isCausedByUser, NOTICES, type NoticeKind } from "./templates";

export type NoticeDetails = Readonly<{
  /** The browser that sent the request that caused the event. */
  browser?: Partial<Browser> | undefined;
  /** Additional details in the notice. */
  facts?: readonly (readonly [label: string, value: string])[];
}>;

/**
 * Sends a notice about an event to the confirmed e-mail address of a user, in the transaction of `deps`. A
 * user without a confirmed e-mail address gets no notice. A user who has switched off this kind of notice
 * gets no notice either.
 */
export async function notify(
  deps: Deps,
  user: Pick<User, "id" | "name" | "username" | "email" | "emailVerified">,
  kind: NoticeKind,
  { browser = {}, facts = [] }: NoticeDetails = {},
): Promise<void> {
  if (!user.emailVerified || !(await isMailWanted(deps, user.id, kind))) return;
  const { subject, paragraph } = NOTICES[kind];
  const { ipAddress, userAgent } = browser;
  await sendMail(deps, {
    kind,
    to: user.email,
    userId: user.id,
    subject,
    content: {
      recipientName: user.name,
      paragraphs: [paragraph],
      facts: [
        ["Account", `@${user.username}`],
        ...facts,
        ["Time", `${deps.clock().toISOString().slice(0, 16).replace("T", " ")} UTC`],
        ...(ipAddress === undefined ? [] : [["IP address", ipAddress] as const]),
        ...(userAgent === undefined || userAgent === null
          ? []
          : [["Browser", describeUserAgent(userAgent)] as const]),
      ],
      unsubscribeUrl: unsubscribeUrl(deps, user.id, kind),
      closing: isCausedByUser(kind)
        ? [
            `If you did not cause this event, choose a new password at ${deps.config.issuer}/users/password/new, and then end the sessions that you do not recognize at ${deps.config.issuer}/user_settings/sessions.`,
          ]
        : [],
    },
  });
}
