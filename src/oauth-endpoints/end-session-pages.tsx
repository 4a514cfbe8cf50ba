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
    { formLeaves: about.target !== null },
  );

/**
 * Returns the page that a user sees after the sign-out, if the server does not redirect to the application.
 * @param about.target the registered redirect URI to which the page links; null without a link.
 * @param about.isTargetRefused whether the request named a redirect URI that is not registered.
 */
export const signedOutPage = (about: {
  readonly application: Application | null;
  readonly target: string | null;
  readonly isTargetRefused: boolean;
}): Promise<Response> =>
  messagePage(
    200,
    {
      title: "Signed out",
      heading: "You are signed out",
      text: (
        <>
          You are no longer signed in to Gatehouse in this browser.
          {about.isTargetRefused
            ? ` Gatehouse did not redirect you, because ${about.application?.name ?? "the application"} requested a URL that is not registered.`
            : ""}
        </>
      ),
    },
    <>
      {about.application === null || about.target === null ? null : (
        <ButtonLink href={about.target}>{`Return to ${about.application.name}`}</ButtonLink>
      )}
      <ButtonLink href="/users/sign_in">Sign in</ButtonLink>
    </>,
  );
