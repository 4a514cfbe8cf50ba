import { MAILS, type MailKind } from "@/instance/mail/catalog";
import { listOptOuts } from "@/instance/mail/opt-outs";
import { mailIsOn } from "@/instance/mail/service";
import { systemDeps } from "@/kernel/deps/deps";
import { requireSession } from "../sessions/loaders";

/** A kind of e-mails, and whether the user gets e-mails of this kind. */
export type MailChoice = Readonly<{ kind: MailKind; about: string; security: boolean; wanted: boolean }>;

export async function loadMailChoices(): Promise<
  Readonly<{ choices: readonly MailChoice[]; mailIsOn: boolean; emailIsConfirmed: boolean }>
> {
  const { user } = await requireSession("/user_settings/notifications");
  const deps = systemDeps();
  const optOuts = await listOptOuts(deps, user.id);
  const choices = (Object.keys(MAILS) as MailKind[]).map((kind) => ({
    kind,
    ...MAILS[kind],
    wanted: MAILS[kind].security || !optOuts.includes(kind),
  }));
  return { choices, mailIsOn: mailIsOn(deps), emailIsConfirmed: user.emailVerified };
}
