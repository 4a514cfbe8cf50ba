import { reserve } from "@/instance/rate-limits/counter";
import { limitOf, readSettings } from "@/instance/settings/service";
import type { Deps } from "@/kernel/deps/deps";
import { browserOf, type Fields, readFields, refused, seeOther } from "@/kernel/http/form-response";
import { sourceNetwork } from "@/kernel/http/ip-address";
import { requestIdOf } from "@/kernel/http/request-id";
import { formOrigin } from "@/kernel/http/same-origin";
import { ButtonLink } from "@/ui/button";
import { respondWithPage } from "@/ui/failure-page";
import { messagePage } from "@/ui/static-page";
import type { Provider } from "../providers/rules";
import { enabledProviders } from "../providers/service";
import { isRecentlyAuthenticated } from "../sessions/rules";
import { type Session, sessionCsrfTokenMatches, sessionOf } from "../sessions/service";
import { confirmPath, limitProblem, safeReturnPath, signInPath } from "../sessions/sign-in-path";
import { CONFIRM } from "../sign-in/confirm-form";
import { authorizationUrl, ProviderFailure } from "./client";
import { LINK_ACCOUNT } from "./link-page";
import { type Purpose, reauthenticates, startPending } from "./pending";
import { backWithProblem, type ProviderRequest } from "./problem";

export type ProviderContext = Readonly<{
  params: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}>;

/** Returns the enabled provider that the path of a request names; null if there is no such provider. */
export async function providerIn(deps: Deps, { params }: ProviderContext): Promise<Provider | null> {
  const { provider: name } = await params;
  return (await enabledProviders(deps)).find((provider) => provider.name === name) ?? null;
}

/** The page for an external identity provider that does not exist or is disabled. */
export const unknownProvider = (): Promise<Response> =>
  messagePage(404, {
    title: "This provider does not exist",
    text: "The provider was removed or is disabled. Sign in with another method.",
  });

/** `GET /users/auth/:provider`: redirects to the sign-in page, because only the form of a page starts a sign-in. */
export const leaveProviderSignIn = (request: Request): Promise<Response> =>
  respondWithPage(request, async (deps) => seeOther(deps, "/users/sign_in"));

/**
 * `POST /users/auth/:provider`: sends the browser to a provider, so that the user can sign in, link an
 * account or re-authenticate. The response is not a redirect, but a page that continues to the provider. A
 * provider may redirect to any site. The content security policy of the page with the form would block these
 * redirects after the form was submitted.
 */
export const startProviderSignIn = (request: Request, context: ProviderContext): Promise<Response> =>
  respondWithPage(request, async (deps) => {
    if (formOrigin(request.headers, deps.config.issuer) === "other") return refused();
    const form = await readFields(request);
    if (form === null) return refused();
    const provider = await providerIn(deps, context);
    if (provider === null) return unknownProvider();
    const providerRequest = await providerRequestOf(deps, request, form);
    return providerRequest instanceof Response
      ? providerRequest
      : start(deps, request, provider, providerRequest);
  });

type AllowedRequest = ProviderRequest & Readonly<{ session: Session | null }>;

/**
 * Returns the authorization request that the submitted form starts. Returns an error response if the user may
 * not start the authorization request.
 */
async function providerRequestOf(
  deps: Deps,
  request: Request,
  form: Fields,
): Promise<AllowedRequest | Response> {
  const returnTo = safeReturnPath(form.get("return_to"), "/");
  const repeat = form.has("repeat");
  const intent = form.get("intent");
  const purpose: Purpose = intent === "link" || intent === "confirm" ? intent : "sign_in";
  if (purpose === "sign_in")
    return { purpose, returnTo, repeat: false, recent: form.has("recent"), session: null };
  const session = await sessionOf(deps, request.headers.get("cookie"));
  if (session === null) return seeOther(deps, signInPath({ returnTo }));
  const csrfPurpose = purpose === "link" ? LINK_ACCOUNT : CONFIRM;
  if (!sessionCsrfTokenMatches(deps, session, csrfPurpose, form.get("form_token") ?? "")) return refused();
  if (purpose === "link" && !isRecentlyAuthenticated(session.signedInAt, deps.clock()))
    return seeOther(deps, confirmPath({ returnTo }));
  // A user with a second factor cannot re-authenticate with a provider, but only with the second factor.
  if (purpose === "confirm" && session.user.twoFactor)
    return seeOther(deps, confirmPath({ returnTo, repeat }));
  return { purpose, returnTo, repeat, recent: false, session };
}

async function start(
  deps: Deps,
  request: Request,
  provider: Provider,
  providerRequest: AllowedRequest,
): Promise<Response> {
  const source = sourceNetwork(browserOf(request).ipAddress);
  const limit = limitOf(await readSettings(deps), "provider_sign_in_per_address", source);
  const seconds = await reserve(deps.db, [limit], deps.clock());
  if (seconds !== null) return backWithProblem(deps, provider, providerRequest, limitProblem(seconds));
  const { expected, cookie } = await startPending(
    deps,
    request.headers.get("cookie"),
    provider,
    providerRequest,
  );
  try {
    const url = await authorizationUrl(deps, provider, expected, reauthenticates(providerRequest));
    return await continuePage(provider, url, cookie);
  } catch (cause) {
    if (!(cause instanceof ProviderFailure)) throw cause;
    deps.log.warn({
      event: "provider_sign_in.not_started",
      provider: provider.name,
      reason: cause.message,
      request_id: requestIdOf(request),
    });
    return backWithProblem(deps, provider, providerRequest, { problem: cause.kind, provider: provider.name });
  }
}

async function continuePage({ label }: Provider, url: URL, cookie: string): Promise<Response> {
  const page = await messagePage(
    200,
    { title: `Continue to ${label}`, text: "If your browser does not continue automatically, use the link." },
    <ButtonLink kind="primary" href={url.href}>
      Continue
    </ButtonLink>,
    { refresh: { afterSeconds: 0, to: url.href } },
  );
  page.headers.append("set-cookie", cookie);
  return page;
}
