import { readSettings } from "@/instance/settings/service";
import { DecisionCard } from "@/ui/decision-card";
import { confirmsByLink } from "../users/email-confirmation";
import { passwordCharactersMin } from "../users/password-rules";
import { SignUp } from "./components/sign-up";
import { SignUpClosed } from "./components/sign-up-closed";
import { problemText } from "./rules";
import { signInDocument } from "./sign-in-document";
import { signUpDraft } from "./sign-up-form";

const TITLE = "Create an account";
const NOT_CREATED = "The account was not created. Correct the marked fields.";

/** `GET /users/sign_up`: shows the registration form, or a message while registration is closed. */
export const showSignUp = signInDocument(async ({ deps, cookie, query, returnTo }) => {
  const settings = await readSettings(deps);
  if (!settings.signup_enabled)
    return {
      title: TITLE,
      body: (
        <DecisionCard title="Registration is closed">
          <SignUpClosed returnTo={returnTo} />
        </DecisionCard>
      ),
    };
  return {
    title: TITLE,
    body: (
      <DecisionCard title={TITLE}>
        <SignUp
          draft={signUpDraft(deps, cookie)}
          passwordCharactersMin={passwordCharactersMin(settings, false)}
          confirmsByLink={confirmsByLink(deps, settings)}
          returnTo={returnTo}
          problem={problemText(query("problem"), query("minutes"), NOT_CREATED)}
        />
      </DecisionCard>
    ),
  };
});
