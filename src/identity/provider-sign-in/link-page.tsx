import { z } from "zod";
import { openSealedToken, sealToken } from "@/kernel/crypto/sealed-token";
import type { Deps } from "@/kernel/deps/deps";
import { cookieValue, flashCookie, setCookie } from "@/kernel/http/cookie";
import { readFields, refused, seeOther } from "@/kernel/http/form-response";
import { formOrigin } from "@/kernel/http/same-origin";
import { Button } from "@/ui/button";
import { DecisionCard } from "@/ui/decision-card";
import { respondWithPage } from "@/ui/failure-page";
import { staticPage } from "@/ui/static-page";
import type { Identity } from "../linked-identities/rules";
import { accountLabel, type LinkOutcome, linkIdentity } from "../linked-identities/service";
import { enabledProviders } from "../providers/service";
import { isRecentlyAuthenticated } from "../sessions/rules";
import { type Session, sessionCsrfToken, sessionCsrfTokenMatches, sessionOf } from "../sessions/service";
import { confirmPath, LINK_ACCOUNT_PATH, signInPath } from "../sessions/sign-in-path";
import { claimSealedToken } from "../two-factor/sealed-token";
import { sessionKeyOf } from "./pending";

/** The purpose of the CSRF token of the forms that link an account. */
export const LINK_ACCOUNT = "link_account";

/** The path of the page that lists the linked accounts. */
export const LINKED_ACCOUNTS_PATH = "/user_settings/profile";

const TITLE = "Link an account";

/** The time within which the user must confirm the link to an account at a provider. */
const SECONDS = 15 * 60;

const identitySchema = z.object({
  provider: z.string(),
  issuer: z.string(),
  subject: z.string(),
  email: z.string().nullable(),
  username: z.string().nullable(),
});

const purposeOf = (session: Session): string => `provider_link ${sessionKeyOf(session)}`;

/**
 * Returns the `Set-Cookie` line with the verified account at a provider. Only the current session can link
 * the account, and only once.
 */
export function proposedLinkCookie(deps: Deps, session: Session, identity: Identity): string {
  const { provider, issuer, subject, email, username } = identity;
  const text = JSON.stringify({ provider, issuer, subject, email, username });
  const sealed = sealToken(deps, purposeOf(session), text, SECONDS);
  return setCookie(deps.config, "provider_link", sealed, SECONDS);
}

type ProposedLink = Readonly<{
  session: Session;
  identity: Identity;
  label: string;
  sealed: string;
  expiresAt: Date;
}>;

/**
 * Returns the account that the user may link. If the user may not link an account, the function returns an
 * error response.
 */
async function proposedLink(deps: Deps, request: Request): Promise<ProposedLink | Response> {
  const cookies = request.headers.get("cookie");
  const session = await sessionOf(deps, cookies);
  if (session === null) return seeOther(deps, signInPath({ returnTo: LINKED_ACCOUNTS_PATH }));
  const sealed = cookieValue(deps.config, cookies, "provider_link");
  const opened = sealed === null ? null : openSealedToken(deps, purposeOf(session), sealed);
  if (sealed === null || opened === null) return finished(deps, EXPIRED);
  const parsed = identitySchema.parse(JSON.parse(opened.text));
  const provider = (await enabledProviders(deps)).find(
    ({ name, issuer }) => name === parsed.provider && issuer === parsed.issuer,
  );
  if (provider === undefined) return finished(deps, EXPIRED);
  const identity = { ...parsed, emailVerified: false, name: null, groups: null };
  return { session, identity, label: provider.label, sealed, expiresAt: opened.expiresAt };
}

const finished = (deps: Deps, text: string): Response =>
  seeOther(deps, LINKED_ACCOUNTS_PATH, [
    setCookie(deps.config, "provider_link", "", 0),
    flashCookie(deps.config, text),
  ]);

const EXPIRED = "The request to link an account has expired. Try again.";

/** `GET /users/link_account`: shows the account at the provider, with a button that links the account. */
export const showLinkAccount = (request: Request): Promise<Response> =>
  respondWithPage(request, async (deps) => {
    const link = await proposedLink(deps, request);
    if (link instanceof Response) return link;
    const { session, identity, label } = link;
    return staticPage(
      200,
      TITLE,
      <DecisionCard title={`Link your account at ${label}?`}>
        <p className="text-center wrap-anywhere text-muted">
          With the account <b className="font-semibold text-ink">{accountLabel(identity)}</b> at {label}, you
          will be able to sign in as <bdi className="font-semibold text-ink">@{session.user.username}</bdi>.
        </p>
        <form method="post" action={LINK_ACCOUNT_PATH} className="grid gap-3">
          <input type="hidden" name="form_token" value={sessionCsrfToken(deps, session, LINK_ACCOUNT)} />
          <Button kind="primary" name="decision" value="link">
            Link account
          </Button>
          <Button name="decision" value="cancel">
            Cancel
          </Button>
        </form>
      </DecisionCard>,
    );
  });

const OUTCOMES: Readonly<Record<LinkOutcome, (label: string) => string>> = {
  linked: (label) => `Your account at ${label} is linked. You can now sign in with this account.`,
  linked_to_other: (label) =>
    `This account at ${label} is already linked to another user. Use another account at ${label}.`,
  has_other: (label) =>
    `You have already linked another account at ${label}. Unlink the other account first.`,
};

/** `POST /users/link_account`: links the account that the page showed, or cancels. */
export const postLinkAccount = (request: Request): Promise<Response> =>
  respondWithPage(request, async (deps) => {
    if (formOrigin(request.headers, deps.config.issuer) === "other") return refused();
    const form = await readFields(request);
    const link = await proposedLink(deps, request);
    if (link instanceof Response) return link;
    const { session, identity, label, sealed, expiresAt } = link;
    if (!sessionCsrfTokenMatches(deps, session, LINK_ACCOUNT, form?.get("form_token") ?? ""))
      return refused();
    if (form?.get("decision") !== "link") return finished(deps, "No account was linked.");
    if (!isRecentlyAuthenticated(session.signedInAt, deps.clock()))
      return seeOther(deps, confirmPath({ returnTo: LINK_ACCOUNT_PATH }));
    if (!(await claimSealedToken(deps, sealed, expiresAt))) return finished(deps, EXPIRED);
    return finished(deps, OUTCOMES[await linkIdentity(deps, session.user, identity)](label));
  });
