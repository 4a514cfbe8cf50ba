import { readSettings } from "@/instance/settings/service";
import type { Deps } from "@/kernel/deps/deps";
import { cookieValue, setCookie } from "@/kernel/http/cookie";
import { refused, seeOther } from "@/kernel/http/form-response";
import { formOrigin } from "@/kernel/http/same-origin";
import { Button } from "@/ui/button";
import { DecisionCard } from "@/ui/decision-card";
import { respondWithPage } from "@/ui/failure-page";
import { messagePage, staticPage } from "@/ui/static-page";
import { type Session, sessionCsrfToken, sessionOf } from "../sessions/service";
import { EMAIL_CONFIRMATION_PATH, signInPath } from "../sessions/sign-in-path";
import { confirmEmailByLink, mustConfirmFirst, openConfirmation } from "../users/email-confirmation";

const TITLE = "Confirm your e-mail address";

/** The time for which a cookie stores the token of a confirmation link that the user has opened. */
const COOKIE_SECONDS = 3600;

/**
 * `GET /users/confirmation`: shows the e-mail address of a confirmation link, with a button that confirms the
 * e-mail address. The `GET` request itself changes nothing, because programs that scan e-mails open all
 * links. If the URL contains a token, the response moves the token to a cookie and redirects the browser. The
 * URL, the history entry and the referrer of the page therefore contain no token.
 */
export const showConfirmation = (request: Request): Promise<Response> =>
  respondWithPage(request, async (deps) => {
    const { searchParams } = new URL(request.url);
    const token = searchParams.get("confirmation_token");
    if (token !== null) return seeOther(deps, EMAIL_CONFIRMATION_PATH, [linkCookie(deps, token)]);
    if (!searchParams.has("link")) return checkYourMail(searchParams.get("problem"));
    const link = await permittedLink(deps, request);
    return link instanceof Response ? link : confirmationForm(link);
  });

/**
 * `POST /users/confirmation`: confirms the e-mail address to which the confirmation link in the cookie was
 * sent.
 */
export const postConfirmation = (request: Request): Promise<Response> =>
  respondWithPage(request, async (deps) => {
    if (formOrigin(request.headers, deps.config.issuer) === "other") return refused();
    const link = await permittedLink(deps, request);
    if (link instanceof Response) return link;
    const outcome = await confirmEmailByLink(deps, link.token);
    if (outcome === "invalid") return invalidLink();
    if (outcome === "taken")
      return messagePage(409, {
        title: "This e-mail address is in use",
        text: "Another account already has this e-mail address. Sign in to that account, or use another e-mail address.",
      });
    const response = await messagePage(
      200,
      {
        title: "Your e-mail address is confirmed",
        text: `The account @${outcome.username} now uses this e-mail address.`,
      },
      <p className="text-center">
        <a href="/">Continue</a>
      </p>,
    );
    response.headers.append("set-cookie", linkCookie(deps, ""));
    return response;
  });

/**
 * The function ignores a value that is not a token, so that a malicious link cannot add attributes to the
 * cookie.
 */
const linkCookie = (deps: Deps, token: string): string => {
  const value = /^[\w-]{1,2048}$/.test(token) ? token : "";
  return setCookie(deps.config, "email_confirmation", value, value === "" ? 0 : COOKIE_SECONDS);
};

type Link = Readonly<{ token: string; username: string; email: string }>;

/**
 * Returns the confirmation link in the cookie if the user of this browser may use the link. For any other
 * user, returns a response that refuses the request. Only the user for whom the link was created may use the
 * link. If any user could use the link, an attacker could trick the owner of a mailbox into confirming the
 * e-mail address for the account of the attacker. A user who must confirm the e-mail address before signing
 * in needs no session.
 */
async function permittedLink(deps: Deps, request: Request): Promise<Link | Response> {
  const cookies = request.headers.get("cookie");
  const token = cookieValue(deps.config, cookies, "email_confirmation") ?? "";
  const opened = await openConfirmation(deps, token);
  if (opened === null) return invalidLink();
  const { user, email } = opened;
  const session = await sessionOf(deps, cookies);
  const needsNoSession =
    user.state === "blocked_pending_approval" || mustConfirmFirst(deps, await readSettings(deps), user);
  if (session === null ? needsNoSession : session.user.id === user.id)
    return { token, username: user.username, email };
  if (session === null)
    return seeOther(deps, signInPath({ returnTo: EMAIL_CONFIRMATION_PATH, loginHint: user.username }));
  return needsNoSession ? signOutFirst(deps, session, user.username) : otherUser(session, user.username);
}

const otherUser = (session: Session, username: string): Promise<Response> =>
  messagePage(
    403,
    {
      title: "You are signed in as another user",
      text: `You are signed in as @${session.user.username}, but the link was sent for the account @${username}. To confirm the e-mail address, sign in as @${username}.`,
    },
    <p className="text-center">
      <a href={signInPath({ returnTo: EMAIL_CONFIRMATION_PATH, again: true, loginHint: username })}>
        Sign in as @{username}
      </a>
    </p>,
  );

/**
 * A signed-in user who cannot use the link must sign out first, because the user for whom the link was
 * created cannot sign in before the confirmation.
 */
const signOutFirst = (deps: Deps, session: Session, username: string): Promise<Response> =>
  messagePage(
    403,
    {
      title: "You are signed in as another user",
      text: `You are signed in as @${session.user.username}, but the link was sent for the account @${username}. To confirm the e-mail address, sign out, and then open the link in the e-mail again.`,
    },
    <form method="post" action="/users/session" className="grid">
      <input type="hidden" name="intent" value="sign_out" />
      <input type="hidden" name="form_token" value={sessionCsrfToken(deps, session, "sign_out")} />
      <Button>Sign out</Button>
    </form>,
  );

const confirmationForm = ({ username, email }: Link): Promise<Response> =>
  staticPage(
    200,
    TITLE,
    <DecisionCard title={TITLE}>
      <p className="text-center wrap-anywhere text-muted">
        The account <bdi className="font-semibold text-ink">@{username}</bdi> wants to use{" "}
        <b className="font-semibold text-ink">{email}</b>. If this is not your account, close this page.
      </p>
      <form method="post" action="/users/confirmation" className="grid">
        <Button kind="primary">Confirm e-mail address</Button>
      </form>
    </DecisionCard>,
  );

const CHECK_YOUR_MAIL = {
  title: "Check your e-mail",
  text: "Before you can sign in, you must confirm your e-mail address. Open the link in the e-mail that was sent to your e-mail address. If no e-mail arrives, sign in to get another link.",
};

/**
 * The messages for a user who must confirm the e-mail address, if no link was sent. The key of each message
 * is the reason why no link was sent.
 */
const NOT_SENT: ReadonlyMap<string | null, typeof CHECK_YOUR_MAIL> = new Map([
  [
    "none",
    {
      title: "Your account has no e-mail address",
      text: "Before you can sign in, your account needs a confirmed e-mail address. Ask an administrator to set your e-mail address.",
    },
  ],
  [
    "limited",
    {
      title: "Check your e-mail",
      text: "Before you can sign in, you must confirm your e-mail address. Too many links were sent, so no new link was sent now. Open the link in the newest e-mail that was sent to your e-mail address. If no e-mail has arrived, sign in again in an hour.",
    },
  ],
]);

/**
 * Shows a page that asks the user to confirm the e-mail address.
 * @param problem the reason why no link was sent; null if a link was sent.
 */
const checkYourMail = (problem: string | null): Promise<Response> =>
  messagePage(
    200,
    NOT_SENT.get(problem) ?? CHECK_YOUR_MAIL,
    <p className="text-center">
      <a href="/users/sign_in">Sign in</a>
    </p>,
  );

const invalidLink = (): Promise<Response> =>
  messagePage(
    404,
    {
      title: "This link is not valid",
      text: "The link was already used or is too old, or you have changed your password or requested another e-mail address since the link was sent. Sign in, and request a new link on the profile page.",
    },
    <p className="text-center">
      <a href="/user_settings/profile">Open the profile page</a>
    </p>,
  );
