import type { User } from "@/access/principal";
import { openSealedToken, sealToken } from "@/kernel/crypto/sealed-token";
import type { Deps } from "@/kernel/deps/deps";
import { cookieValue, setCookie } from "@/kernel/http/cookie";
import { browserOf, refused, seeOther } from "@/kernel/http/form-response";
import { formOrigin } from "@/kernel/http/same-origin";
import { Button } from "@/ui/button";
import { DecisionCard } from "@/ui/decision-card";
import { respondWithPage } from "@/ui/failure-page";
import { staticPage } from "@/ui/static-page";
import { type AuthenticationMethods, methodsFrom } from "../sessions/authentication-methods";
import { openSessionFor } from "../sessions/service";
import { signInPath } from "../sessions/sign-in-path";
import { cancelOwnDeletion, findDeletion } from "../users/account-deletion";
import { findWithStamp, type UserWithStamp, withCheckedPassword } from "../users/service";
import { enter } from "./entry";

const PURPOSE = "keep_account";

/** The time within which a user who has entered all factors can cancel the deletion of the account. */
const SECONDS = 10 * 60;

/** The path of the page on which a user cancels the deletion of the account. */
export const KEEP_ACCOUNT_PATH = "/users/keep_account";

/**
 * Returns the `Set-Cookie` line with an encrypted record of a completed sign-in. The record states that a
 * user who has requested the deletion of the account has completed the sign-in. The record of the sign-in
 * does not create a session, and becomes invalid when the password changes.
 * @param methods the methods of the sign-in.
 */
export async function keepAccountCookie(
  deps: Deps,
  user: User,
  methods: AuthenticationMethods,
): Promise<string> {
  const row = await findWithStamp(deps, user.id);
  // The record of the sign-in does not contain the time of an authentication at another provider.
  const sealedMethods = methods.map((method) => (method === "dated_provider" ? "provider" : method));
  const text = [user.id, row?.passwordStamp ?? "-", ...sealedMethods].join(" ");
  const sealed = sealToken(deps, PURPOSE, text, SECONDS);
  return setCookie(deps.config, "keep_account", sealed, SECONDS);
}

/** `GET /users/keep_account`: shows when the account will be deleted, with a button that cancels the deletion. */
export const showKeepAccount = (request: Request): Promise<Response> =>
  respondWithPage(request, async (deps) => {
    const row = await userIn(deps, request);
    const deletion = row && (await findDeletion(deps, row.user.id));
    if (row === null || deletion === null) return startAgain(deps);
    return staticPage(
      200,
      TITLE,
      <DecisionCard title={TITLE}>
        <p className="text-center wrap-anywhere text-muted">
          You asked to delete the account <bdi className="font-semibold text-ink">@{row.user.username}</bdi>.
          The account will be deleted on <b className="font-semibold text-ink">{dayText(deletion.dueAt)}</b>.
          Until then, you can keep the account.
        </p>
        <form method="post" action={KEEP_ACCOUNT_PATH} className="grid">
          <Button kind="primary">Keep my account</Button>
        </form>
        <p className="text-center text-small text-muted">
          To delete the account, close this page. Nothing else is needed.
        </p>
      </DecisionCard>,
    );
  });

const dayText = (at: Date): string => `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;

const TITLE = "Your account will be deleted";

/** `POST /users/keep_account`: cancels the deletion, and signs the user in. */
export const postKeepAccount = (request: Request): Promise<Response> =>
  respondWithPage(request, async (deps) => {
    if (formOrigin(request.headers, deps.config.issuer) === "other") return refused();
    const row = await userIn(deps, request);
    if (row === null) return startAgain(deps);
    const opened = await withCheckedPassword(deps, row, async (within) =>
      (await cancelOwnDeletion(within, row.user))
        ? openSessionFor(within, row.user, browserOf(request), row.methods, row.authenticatedAt)
        : null,
    );
    if (opened === null) return startAgain(deps);
    return enter(deps, request, { ...opened, returnTo: "/" }, [noCookie(deps)]);
  });

const noCookie = (deps: Deps): string => setCookie(deps.config, "keep_account", "", 0);

async function userIn(
  deps: Deps,
  request: Request,
): Promise<(UserWithStamp & Readonly<{ methods: AuthenticationMethods; authenticatedAt: Date }>) | null> {
  const sealed = cookieValue(deps.config, request.headers.get("cookie"), "keep_account");
  const opened = sealed ? openSealedToken(deps, PURPOSE, sealed) : null;
  if (opened === null) return null;
  const [userId = "", stamp = "", ...methods] = opened.text.split(" ");
  const row = await findWithStamp(deps, Number(userId));
  if (row === null || row.passwordStamp !== stamp || row.user.state !== "deactivated") return null;
  // The record in the cookie was created when the user completed the sign-in.
  const authenticatedAt = new Date(opened.expiresAt.getTime() - SECONDS * 1000);
  return { ...row, methods: methodsFrom(methods.join(" ")) ?? [], authenticatedAt };
}

const startAgain = (deps: Deps): Response =>
  seeOther(deps, signInPath({ returnTo: "/", again: true, problem: { problem: "expired" } }), [
    noCookie(deps),
  ]);
