import { readSettings } from "@/instance/settings/service";
import { PasswordsBusy } from "@/kernel/crypto/password";
import type { Deps } from "@/kernel/deps/deps";
import { cookieValue, setCookie } from "@/kernel/http/cookie";
import { browserOf, type Fields, readFields, refused, seeOther } from "@/kernel/http/form-response";
import { formOrigin } from "@/kernel/http/same-origin";
import { Button } from "@/ui/button";
import { DecisionCard } from "@/ui/decision-card";
import { respondWithPage } from "@/ui/failure-page";
import { Field } from "@/ui/field";
import { Notice } from "@/ui/notice";
import { messagePage, staticPage } from "@/ui/static-page";
import { enforcedProvider } from "../providers/service";
import { limitProblem, passwordResetPath, safeReturnPath, signInPath } from "../sessions/sign-in-path";
import { passwordCharactersMin } from "../users/password-rules";
import { openPasswordReset, RESET_MINUTES, requestPasswordReset, resetPasswordByLink } from "./service";

const TITLE = "Choose a new password";
const EMAIL_CHARACTERS_MAX = 254;

/**
 * `GET /users/password/edit`: shows the form for the new password. If the URL contains a token, the response
 * moves the token to a cookie and redirects the browser. The URL, the history entry and the referrer of the
 * page therefore contain no token.
 */
export const showNewPassword = (request: Request): Promise<Response> =>
  respondWithPage(request, async (deps) => {
    const { searchParams } = new URL(request.url);
    const token = searchParams.get("reset_password_token");
    if (token !== null) return seeOther(deps, "/users/password/edit", [resetCookie(deps, token)]);
    const user = await openPasswordReset(deps, tokenIn(deps, request));
    if (user === null) return invalidLink();
    return newPasswordForm(deps, 200, { username: user.username, twoFactor: user.twoFactor });
  });

/**
 * `GET /users/password`: redirects to the form for the new password if the browser has followed a password reset link,
 * and otherwise to the form that requests a link. A browser sends this request if the user reloads a result page from
 * the address bar.
 */
export const leavePassword = (request: Request): Promise<Response> =>
  respondWithPage(request, async (deps) =>
    seeOther(deps, tokenIn(deps, request) === "" ? "/users/password/new" : "/users/password/edit"),
  );

/**
 * `POST /users/password`: requests a password reset link for an e-mail address, or sets the new password for
 * the user whose password reset link is in the cookie. The forms work without JavaScript.
 */
export const postPassword = (request: Request): Promise<Response> =>
  respondWithPage(request, async (deps) => {
    if (formOrigin(request.headers, deps.config.issuer) === "other") return refused();
    const form = await readFields(request);
    if (form === null) return refused();
    return form.has("password") ? choosePassword(deps, request, form) : requestLink(deps, request, form);
  });

async function requestLink(deps: Deps, request: Request, form: Fields): Promise<Response> {
  const returnTo = safeReturnPath(form.get("return_to"), "/");
  const email = (form.get("email") ?? "").trim();
  if (!email.includes("@") || email.length > EMAIL_CHARACTERS_MAX)
    return seeOther(deps, passwordResetPath({ returnTo, problem: { problem: "wrong" } }));
  const seconds = await requestPasswordReset(deps, { email, ipAddress: browserOf(request).ipAddress });
  if (seconds !== null)
    return seeOther(deps, passwordResetPath({ returnTo, problem: limitProblem(seconds) }));
  const enforced = await enforcedProvider(deps, email);
  const problem = enforced === null ? undefined : ({ problem: "enforced", provider: enforced.name } as const);
  return seeOther(deps, passwordResetPath({ returnTo, sent: true, problem }));
}

async function choosePassword(deps: Deps, request: Request, form: Fields): Promise<Response> {
  const token = tokenIn(deps, request);
  const user = await openPasswordReset(deps, token);
  if (user === null) return invalidLink();
  const { username, twoFactor } = user;
  const typed = { password: form.get("password") ?? "", again: form.get("again") ?? "" };
  try {
    const outcome = await resetPasswordByLink(deps, token, typed, browserOf(request));
    if (outcome === "invalid") return invalidLink();
    if ("problems" in outcome)
      return newPasswordForm(deps, 422, { username, twoFactor, problems: outcome.problems });
  } catch (cause) {
    if (!(cause instanceof PasswordsBusy)) throw cause;
    const problems = { password: "The server is busy. Try again in a few seconds." };
    return newPasswordForm(deps, 503, { username, twoFactor, problems });
  }
  const path = signInPath({ returnTo: "/", again: true, loginHint: username, done: "password_changed" });
  return seeOther(deps, path, [resetCookie(deps, "")]);
}

const tokenIn = (deps: Deps, request: Request): string =>
  cookieValue(deps.config, request.headers.get("cookie"), "password_reset") ?? "";

/**
 * The function ignores a value that is not a token, so that a malicious link cannot add attributes to the
 * cookie.
 */
const resetCookie = (deps: Deps, token: string): string => {
  const value = /^[\w-]{1,1024}$/.test(token) ? token : "";
  return setCookie(deps.config, "password_reset", value, value === "" ? 0 : RESET_MINUTES * 60);
};

const invalidLink = (): Promise<Response> =>
  messagePage(
    404,
    {
      title: "This link is not valid",
      text: `The link was already used, or it is older than ${RESET_MINUTES} minutes. Request a new link.`,
    },
    <p className="text-center">
      <a href="/users/password/new">Request a new link</a>
    </p>,
  );

type Form = Readonly<{
  username: string;
  twoFactor: boolean;
  problems?: Readonly<{ password?: string; again?: string }>;
}>;

async function newPasswordForm(
  deps: Deps,
  status: number,
  { username, twoFactor, problems = {} }: Form,
): Promise<Response> {
  const least = passwordCharactersMin(await readSettings(deps), twoFactor);
  const listed = (text: string | undefined) => (text === undefined ? [] : [text]);
  return staticPage(
    status,
    TITLE,
    <DecisionCard title={TITLE}>
      <form method="post" action="/users/password" className="grid gap-4">
        {status === 200 ? null : (
          <Notice kind="problem">The password was not changed. Correct the marked field.</Notice>
        )}
        <p className="text-center wrap-anywhere text-muted">
          For the account <bdi>@{username}</bdi>. When you change the password, all sessions of the account
          end, and applications and personal access tokens lose their access.
        </p>
        <input type="hidden" name="username" value={username} autoComplete="username" />
        <Field
          id="password"
          name="password"
          type="password"
          label="New password"
          hint={`At least ${least} characters. A few random words are strong and easy to remember.`}
          problems={listed(problems.password)}
          autoComplete="new-password"
          required
          autoFocus
        />
        <Field
          id="again"
          name="again"
          type="password"
          label="New password again"
          problems={listed(problems.again)}
          autoComplete="new-password"
          required
        />
        <Button kind="primary">Change password</Button>
      </form>
    </DecisionCard>,
  );
}
