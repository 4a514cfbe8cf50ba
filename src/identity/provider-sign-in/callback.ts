import * as audit from "@/instance/audit/service";
import { readSettings } from "@/instance/settings/service";
import type { Deps } from "@/kernel/deps/deps";
import { flashCookie } from "@/kernel/http/cookie";
import { browserOf, seeOther } from "@/kernel/http/form-response";
import { Malformed, parseParameters } from "@/kernel/http/parameters";
import { requestIdOf } from "@/kernel/http/request-id";
import { respondWithPage } from "@/ui/failure-page";
import { mayLink } from "../linked-identities/rules";
import { accountOf, isLinkedTo } from "../linked-identities/service";
import type { Provider } from "../providers/rules";
import { enforcedProviderOf } from "../providers/service";
import { recordReauthentication, type Session, sessionOf } from "../sessions/service";
import {
  checkMailPath,
  LINK_ACCOUNT_PATH,
  type ProviderProblem,
  secondFactorPath,
  signInPath,
} from "../sessions/sign-in-path";
import { REPEAT } from "../sign-in/confirm-form";
import { enter } from "../sign-in/entry";
import { KEEP_ACCOUNT_PATH } from "../sign-in/keep-account-page";
import { deviceCookie } from "../sign-in/known-device";
import { pendingCookie } from "../sign-in/pending-sign-in";
import { admit } from "../sign-in/service";
import { mustConfirmFirst, resendConfirmationLink } from "../users/email-confirmation";
import { withCheckedPassword } from "../users/service";
import { type Authenticated, authenticate, ProviderFailure } from "./client";
import { proposedLinkCookie } from "./link-page";
import { claimPending, type Pending, reauthenticates, sessionKeyOf } from "./pending";
import { backWithProblem } from "./problem";
import { type ProviderContext, providerIn, unknownProvider } from "./start";

/** The accepted difference between the clock of a provider and the clock of this server. */
const CLOCK_TOLERANCE_MS = 60_000;

/**
 * `GET /users/auth/:provider/callback`: the authorization response of a provider (RFC 6749 §4.1.2). The response must
 * belong to an authorization request that this browser has started, and is accepted only once.
 */
export const finishProviderSignIn = (request: Request, context: ProviderContext): Promise<Response> =>
  respondWithPage(request, async (deps) => {
    const provider = await providerIn(deps, context);
    if (provider === null) return unknownProvider();
    const response = responseIn(request);
    const state = response?.get("state") ?? "";
    const pending = await claimPending(deps, request.headers.get("cookie"), state);
    if (response === null || pending === null)
      return seeOther(deps, signInPath({ returnTo: "/", problem: { problem: "expired" } }));
    const attempt = { deps, request, provider, pending };
    const authenticated = await verifiedResponse(attempt, response);
    if (authenticated instanceof Response) return authenticated;
    return PURPOSES[pending.purpose](attempt, authenticated);
  });

type Attempt = Readonly<{ deps: Deps; request: Request; provider: Provider; pending: Pending }>;

/**
 * Returns the parameters of the authorization response; null for a malformed query or a repeated parameter
 * (RFC 6749 §3.1).
 */
function responseIn(request: Request): URLSearchParams | null {
  const text = new URL(request.url).search.slice(1);
  try {
    const { repeated, values } = parseParameters(text);
    return repeated.size > 0 ? null : new URLSearchParams([...values]);
  } catch (cause) {
    if (cause instanceof Malformed) return null;
    throw cause;
  }
}

async function verifiedResponse(
  attempt: Attempt,
  response: URLSearchParams,
): Promise<Authenticated | Response> {
  const { deps, provider, pending } = attempt;
  // A response is refused if a provider other than the requested provider sent the response. A provider whose
  // issuer was changed after the request counts as another provider.
  if (pending.provider !== provider.name || pending.issuer !== provider.issuer)
    return fail(attempt, "invalid", "The response belongs to another provider");
  try {
    return await authenticate(deps, provider, response, pending);
  } catch (cause) {
    if (!(cause instanceof ProviderFailure)) throw cause;
    return fail(attempt, cause.kind, cause.message);
  }
}

/**
 * Records a failed sign-in at a provider, and redirects the user to the page from which the user started the
 * sign-in.
 */
async function fail(
  { deps, request, provider, pending }: Attempt,
  problem: ProviderProblem,
  reason: string,
): Promise<Response> {
  const facts = { provider: provider.name, reason, request_id: requestIdOf(request) };
  deps.log.warn({ event: "provider_sign_in.refused", ...facts });
  const { ipAddress } = browserOf(request);
  const session = pending.session === null ? null : await sessionOf(deps, request.headers.get("cookie"));
  await audit.record(
    deps,
    "provider_sign_in.refused",
    { address: ipAddress, provider: provider.name, reason: problem },
    { userId: session?.user.id ?? null },
  );
  return backWithProblem(deps, provider, pending, { problem, provider: provider.name });
}

type Finish = (attempt: Attempt, authenticated: Authenticated) => Promise<Response>;

/**
 * Signs the user in. The response of the provider replaces only the password, so a user with a second factor
 * must still enter the second factor.
 */
const signIn: Finish = async (attempt, authenticated) => {
  const { deps, request, provider, pending } = attempt;
  const { identity, authenticatedAt } = authenticated;
  const { returnTo } = pending;
  const browser = browserOf(request);
  const outcome = await accountOf(deps, provider, identity, browser.ipAddress);
  if ("refused" in outcome) {
    const { refused } = outcome;
    const problem =
      refused === "unapproved" ? { problem: refused } : { problem: refused, provider: provider.name };
    return backWithProblem(deps, provider, pending, problem);
  }
  if (mustConfirmFirst(deps, await readSettings(deps), outcome.user)) {
    const link = await resendConfirmationLink(deps, outcome.user);
    return seeOther(deps, checkMailPath(link === "none" || link === "limited" ? link : undefined));
  }
  if (outcome.user.twoFactor)
    return seeOther(deps, secondFactorPath({ returnTo }), [pendingCookie(deps, outcome, "provider")]);
  if (pending.recent && authenticatedAt === null)
    return fail(attempt, "undated", "The provider does not state the time of the authentication");
  if (pending.recent && !isOfRequest(attempt, authenticatedAt))
    return fail(attempt, "not_recent", "The authentication at the provider is too old");
  const methods = [methodOf(authenticatedAt)];
  const opened = await withCheckedPassword(deps, outcome, (within) =>
    admit(within, outcome.user, browser, methods, timeOf(attempt, authenticated)),
  );
  if (opened === null)
    return backWithProblem(deps, provider, pending, { problem: "blocked", provider: provider.name });
  if ("leavingCookie" in opened) return seeOther(deps, KEEP_ACCOUNT_PATH, [opened.leavingCookie]);
  return enter(deps, request, { ...opened, returnTo });
};

/**
 * Returns whether the user has authenticated at the provider after this server sent the user to the provider.
 */
const isOfRequest = ({ pending }: Attempt, authenticatedAt: Date | null): boolean =>
  authenticatedAt !== null && authenticatedAt.getTime() >= pending.startedAt - CLOCK_TOLERANCE_MS;

type ProviderMethod = "provider" | "dated_provider";

const methodOf = (authenticatedAt: Date | null): ProviderMethod =>
  authenticatedAt === null ? "provider" : "dated_provider";

/**
 * Returns the time of the authentication at the provider; null if the time is unknown or is not in the past.
 * If this server asked the provider to authenticate the user again, the result is never earlier than the
 * request. An earlier time in the response can only result from a difference between the clocks of the
 * provider and of this server.
 */
function timeOf({ deps, pending }: Attempt, { authenticatedAt }: Authenticated): Date | null {
  if (authenticatedAt === null || authenticatedAt >= deps.clock()) return null;
  return reauthenticates(pending)
    ? new Date(Math.max(authenticatedAt.getTime(), pending.startedAt))
    : authenticatedAt;
}

/** Returns the session that sent the user to the provider; null if the browser now has another session. */
async function sessionOfRequest({ deps, request, pending }: Attempt): Promise<Session | null> {
  const session = await sessionOf(deps, request.headers.get("cookie"));
  return session !== null && sessionKeyOf(session) === pending.session ? session : null;
}

/**
 * Redirects to the page on which the user confirms that the account at the provider is linked. The function
 * also checks the domain of the e-mail address, because only the response of the provider states whether the
 * e-mail address is verified.
 */
const link: Finish = async (attempt, { identity }) => {
  const { deps, provider } = attempt;
  const session = await sessionOfRequest(attempt);
  if (session === null) return fail(attempt, "invalid", "Another session started the linking of the account");
  if (!mayLink(provider, identity, await enforcedProviderOf(deps, session.user)))
    return fail(attempt, "domain", "The account has no verified e-mail address with an allowed domain");
  return seeOther(deps, LINK_ACCOUNT_PATH, [proposedLinkCookie(deps, session, identity)]);
};

/** Re-authenticates the user of the session, if the account at the provider is linked to this user. */
const confirm: Finish = async (attempt, authenticated) => {
  const { deps, request, pending } = attempt;
  const { identity, authenticatedAt } = authenticated;
  const session = await sessionOfRequest(attempt);
  if (session === null) return fail(attempt, "invalid", "Another session started the re-authentication");
  if (session.user.twoFactor)
    return fail(attempt, "invalid", "A user with a second factor cannot re-authenticate with the provider");
  if (!(await isLinkedTo(deps, session.user, identity)))
    return fail(attempt, "not_linked", "The identity is not linked to the user");
  if (authenticatedAt !== null && !isOfRequest(attempt, authenticatedAt))
    return fail(attempt, "not_recent", "The authentication at the provider is too old");
  const { ipAddress } = browserOf(request);
  const earlierAt = timeOf(attempt, authenticated);
  await recordReauthentication(deps, session, methodOf(authenticatedAt), ipAddress, earlierAt);
  return seeOther(deps, pending.returnTo, [
    deviceCookie(deps, request.headers.get("cookie"), session.user.id),
    ...(pending.repeat ? [flashCookie(deps.config, REPEAT)] : []),
  ]);
};

const PURPOSES: Readonly<Record<Pending["purpose"], Finish>> = { sign_in: signIn, link, confirm };
