import { mailIsOn } from "@/instance/mail/service";
import { Button } from "@/ui/button";
import { DecisionCard } from "@/ui/decision-card";
import { Field } from "@/ui/field";
import { Notice } from "@/ui/notice";
import { enabledProviders } from "../providers/service";
import { signInPath } from "../sessions/sign-in-path";
import { problemText } from "../sign-in/rules";
import { signInDocument } from "../sign-in/sign-in-document";
import { RESET_MINUTES } from "./service";

const TITLE = "Reset your password";

/** `GET /users/password/new`: shows the form that requests a link to choose a new password. */
export const showResetRequest = signInDocument(async ({ deps, query, returnTo }) => {
  const problem = problemText(
    query("problem"),
    query("minutes"),
    "Enter the e-mail address of your account.",
  );
  const enforced = (await enabledProviders(deps)).find(
    ({ name, enforcedDomains }) => enforcedDomains.length > 0 && name === query("provider"),
  );
  return {
    title: TITLE,
    body: (
      <DecisionCard title={TITLE}>
        {mailIsOn(deps) ? null : <NoMail />}
        {query("sent") === undefined ? (
          <form method="post" action="/users/password" className="grid gap-4">
            {problem === null ? null : <Notice kind="problem">{problem}</Notice>}
            <input type="hidden" name="return_to" value={returnTo} />
            <Field
              id="email"
              name="email"
              type="email"
              label="E-mail"
              hint="The confirmed e-mail address of your account. You get a link to choose a new password."
              autoComplete="email"
              maxLength={254}
              required
              autoFocus
            />
            <Button kind="primary">Send link</Button>
          </form>
        ) : (
          <Notice kind="done">
            If an account has this e-mail address, a link to choose a new password is on its way. The link is
            valid for {RESET_MINUTES} minutes. If no e-mail arrives, check the e-mail address and the spam
            folder, or ask an administrator for a new password.
          </Notice>
        )}
        {enforced === undefined ? null : (
          <Notice kind="info">
            Your organization signs in with {enforced.label}. Only administrators can reset their password by
            e-mail.
          </Notice>
        )}
        <p className="border-t border-line pt-4 text-center text-small text-muted">
          <a href={signInPath({ returnTo })}>Back to sign-in</a>
        </p>
      </DecisionCard>
    ),
  };
});

const NoMail = () => (
  <Notice kind="warning">
    This server sends no e-mail. Ask an administrator for a new password. The operator of the server can read
    the link with the command <code>gatehouse mail list</code>.
  </Notice>
);
