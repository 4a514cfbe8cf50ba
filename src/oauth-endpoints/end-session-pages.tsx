import type { User } from "@/access/principal";
import type { Application } from "@/oauth/applications/rules";
import { Button, ButtonLink } from "@/ui/button";
import { DecisionCard } from "@/ui/decision-card";
import { htmlPage } from "./page";

/** Asks before it signs out: nothing has shown that the person is the one whom the request is about. */
export const confirmationPage = (about: {
  readonly user: User;
  readonly application: Application | null;
  readonly target: string | null;
  readonly parameters: ReadonlyMap<string, string>;
  readonly formToken: string;
}): Promise<Response> =>
  htmlPage(
    200,
    "Sign out",
    <DecisionCard title="Sign out of Gatehouse?">
      <p className="text-center text-muted">
        You are signed in as {about.user.username}.
        {about.application === null ? "" : ` ${about.application.name} asks to sign you out.`}
      </p>
      <form method="post" action="/oauth/end_session" className="grid grid-cols-2 gap-3">
        {[...about.parameters].map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <input type="hidden" name="form_token" value={about.formToken} />
        <ButtonLink href="/">Stay signed in</ButtonLink>
        <Button kind="primary">Sign out</Button>
      </form>
    </DecisionCard>,
    { formTarget: about.target },
  );

export const signedOutPage = (application: Application | null, target: string | null): Promise<Response> =>
  htmlPage(
    200,
    "Signed out",
    <DecisionCard title="You are signed out">
      <p className="text-center text-muted">Nobody is signed in to Gatehouse in this browser any more.</p>
      {application === null || target === null ? null : (
        <ButtonLink href={target}>{`Return to ${application.name}`}</ButtonLink>
      )}
      <ButtonLink href="/users/sign_in">Sign in</ButtonLink>
    </DecisionCard>,
  );
