import type { User } from "@/access/principal";
import type { Application } from "@/oauth/applications/rules";
import { Button, ButtonLink } from "@/ui/button";
import { messagePage } from "@/ui/static-page";

/**
 * Returns the page that asks for confirmation, because the request contains no valid ID token of the signed-in user.
 */
export const confirmationPage = (about: {
  readonly user: User;
  readonly application: Application | null;
  readonly target: string | null;
  readonly parameters: ReadonlyMap<string, string>;
  readonly csrfToken: string;
}): Promise<Response> =>
  messagePage(
    200,
    {
      title: "Sign out",
      heading: "Sign out of Gatehouse?",
      text: (
        <>
          You are signed in as {about.user.username}.
          {about.application === null ? "" : ` ${about.application.name} asks to sign you out.`}
        </>
      ),
    },
    <form method="post" action="/oauth/end_session" className="grid grid-cols-2 gap-3">
      {[...about.parameters].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <input type="hidden" name="form_token" value={about.csrfToken} />
      <ButtonLink href="/">Stay signed in</ButtonLink>
      <Button kind="primary">Sign out</Button>
    </form>,
    { formTarget: about.target },
  );

export const signedOutPage = (application: Application | null, target: string | null): Promise<Response> =>
  messagePage(
    200,
    {
      title: "Signed out",
      heading: "You are signed out",
      text: "You are no longer signed in to Gatehouse in this browser.",
    },
    <>
      {application === null || target === null ? null : (
        <ButtonLink href={target}>{`Return to ${application.name}`}</ButtonLink>
      )}
      <ButtonLink href="/users/sign_in">Sign in</ButtonLink>
    </>,
  );
