import { ROLES } from "@/access/roles";
import type { Provider } from "@/identity/providers/rules";
import { enforcedProvider } from "@/identity/providers/service";
import { openSessionFor, type Session, sessionOf } from "@/identity/sessions/service";
import { signInPath } from "@/identity/sessions/sign-in-path";
import { enter } from "@/identity/sign-in/entry";
import { passwordCharactersMin } from "@/identity/users/password-rules";
import { find as findUser } from "@/identity/users/service";
import { readSettings } from "@/instance/settings/service";
import { PasswordsBusy } from "@/kernel/crypto/password";
import type { Deps } from "@/kernel/deps/deps";
import { cookieValue, setCookie } from "@/kernel/http/cookie";
import { browserOf, type Fields, readFields, refused, seeOther } from "@/kernel/http/form-response";
import { formOrigin } from "@/kernel/http/same-origin";
import { Button } from "@/ui/button";
import { DecisionCard } from "@/ui/decision-card";
import { respondWithPage } from "@/ui/failure-page";
import { messagePage, staticPage } from "@/ui/static-page";
import { acceptAsNewUser, acceptAsUser, isInvited } from "./acceptance";
import { type AccountDraft, AccountForm } from "./components/account-form";
import { VALID_DAYS } from "./rules";
import { type OpenedInvitation, openInvitation } from "./service";

const PATH = "/users/invitation";
const PASSKEY_PAGE = "/user_settings/two_factor/passkey";

/** The time for which the cookie stores the token of an opened link. */
const COOKIE_SECONDS = 3600;

/**
 * `GET /users/invitation`: shows an invitation. The GET request changes nothing, because programs that scan
 * e-mails open all links. A redirect replaces the token in the URL by a cookie, so that the URL of the page,
 * the browser history and the referrer contain no token.
 */
export const showInvitation = (request: Request): Promise<Response> =>
  respondWithPage(request, async (deps) => {
    const token = new URL(request.url).searchParams.get("invitation_token");
    if (token !== null) return seeOther(deps, PATH, [linkCookie(deps, token)]);
    const opened = await openInvitation(deps, tokenIn(deps, request));
    if (opened === null) return invalidLink();
    const session = await sessionOf(deps, request.headers.get("cookie"));
    if (session !== null)
      return isInvited(session.user, opened) ? joinForm(opened) : otherUser(session, opened);
    const { email } = opened.invitation;
    if ((await findUser(deps, email)) !== null)
      return seeOther(deps, signInPath({ returnTo: PATH, loginHint: email }));
    const enforced = await enforcedProvider(deps, email);
    if (enforced !== null) return signInWith(deps, enforced, email);
    return accountForm(deps, 200, opened, { username: "", name: "", problems: {} });
  });

/** `POST /users/invitation`: accepts the invitation of the link in the cookie. */
export const postInvitation = (request: Request): Promise<Response> =>
  respondWithPage(request, async (deps) => {
    if (formOrigin(request.headers, deps.config.issuer) === "other") return refused();
    const form = await readFields(request);
    if (form === null) return refused();
    const session = await sessionOf(deps, request.headers.get("cookie"));
    if (session === null) return createAccount(deps, request, form);
    const path = await acceptAsUser(deps, tokenIn(deps, request), session.user);
    return path === null ? invalidLink() : seeOther(deps, path, [linkCookie(deps, "")]);
  });

async function createAccount(deps: Deps, request: Request, form: Fields): Promise<Response> {
  const token = tokenIn(deps, request);
  const opened = await openInvitation(deps, token);
  if (opened === null) return invalidLink();
  const field = (name: string) => (form.get(name) ?? "").trim().slice(0, 300);
  const values = { username: field("username"), name: field("name") };
  const usesPasskey = form.get("way") === "passkey";
  const browser = browserOf(request);
  const password = usesPasskey ? null : (form.get("password") ?? "");
  try {
    const outcome = await acceptAsNewUser(deps, token, { ...values, password, ipAddress: browser.ipAddress });
    if (outcome === "invalid") return invalidLink();
    if ("enforced" in outcome) return signInWith(deps, outcome.enforced, opened.invitation.email);
    if ("problems" in outcome)
      return accountForm(deps, 422, opened, { ...values, problems: outcome.problems });
    const session = await openSessionFor(deps, outcome.user, browser, [
      usesPasskey ? "email_link" : "password",
    ]);
    const returnTo = usesPasskey ? PASSKEY_PAGE : outcome.path;
    return await enter(deps, request, { ...session, returnTo }, [linkCookie(deps, "")]);
  } catch (cause) {
    if (!(cause instanceof PasswordsBusy)) throw cause;
    const problems = { password: "cannot be checked at this moment. Try again in a few seconds" };
    return accountForm(deps, 503, opened, { ...values, problems });
  }
}

/** Redirects an invited person to the provider of the organization, and then back to the invitation. */
const signInWith = (deps: Deps, { name }: Provider, email: string): Response => {
  const problem = { problem: "enforced", provider: name } as const;
  return seeOther(deps, signInPath({ returnTo: PATH, loginHint: email, problem }));
};

const tokenIn = (deps: Deps, request: Request): string =>
  cookieValue(deps.config, request.headers.get("cookie"), "invitation") ?? "";

/**
 * A URL parameter that is not a token is ignored, so that a malicious link cannot add attributes to the
 * cookie.
 */
const linkCookie = (deps: Deps, token: string): string => {
  const value = /^[\w-]{1,1024}$/.test(token) ? token : "";
  return setCookie(deps.config, "invitation", value, value === "" ? 0 : COOKIE_SECONDS);
};

const TITLE = "You are invited";

function Summary({ opened }: { readonly opened: OpenedInvitation }) {
  const { invitation, target, inviter } = opened;
  return (
    <p className="text-center wrap-anywhere text-muted">
      <bdi>@{inviter.username}</bdi> invites{" "}
      <b className="font-semibold text-ink">
        <bdi>{invitation.email}</bdi>
      </b>{" "}
      to{" "}
      {target.kind === "instance" ? (
        "this server"
      ) : (
        <>
          the {target.kind} <b className="font-semibold text-ink">{target.fullPath}</b>
        </>
      )}
      {invitation.role === null ? "" : ` as ${ROLES[invitation.role].label}`}.
    </p>
  );
}

const joinForm = (opened: OpenedInvitation): Promise<Response> =>
  staticPage(
    200,
    TITLE,
    <DecisionCard title={TITLE}>
      <Summary opened={opened} />
      <form method="post" action={PATH} className="grid">
        <Button kind="primary">Accept the invitation</Button>
      </form>
    </DecisionCard>,
  );

async function accountForm(
  deps: Deps,
  status: number,
  opened: OpenedInvitation,
  draft: AccountDraft,
): Promise<Response> {
  const least = passwordCharactersMin(await readSettings(deps), false);
  return staticPage(
    status,
    TITLE,
    <DecisionCard title={TITLE}>
      <Summary opened={opened} />
      <AccountForm action={PATH} draft={draft} passwordCharactersMin={least} />
    </DecisionCard>,
  );
}

const otherUser = (session: Session, { invitation }: OpenedInvitation): Promise<Response> =>
  messagePage(
    403,
    {
      title: "You are signed in as another user",
      text: `You are signed in as @${session.user.username}, but the invitation was sent to ${invitation.email}. To accept the invitation, sign in as the user with this confirmed e-mail address, or sign out to create an account.`,
    },
    <p className="text-center">
      <a href={signInPath({ returnTo: PATH, again: true, loginHint: invitation.email })}>
        Sign in as another user
      </a>
    </p>,
  );

const invalidLink = (): Promise<Response> =>
  messagePage(404, {
    title: "This invitation is not valid",
    text: `The invitation was already accepted or revoked, the invitation is older than ${VALID_DAYS} days, or a newer e-mail contains another link. Ask for another invitation.`,
  });
