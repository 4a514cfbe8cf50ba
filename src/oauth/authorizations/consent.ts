import type { User } from "@/access/principal";
import type { Scope } from "@/access/scopes";
import { enrollsFirst, type Session, sessionCsrfToken } from "@/identity/sessions/service";
import { signInPath } from "@/identity/sessions/sign-in-path";
import type { Deps } from "@/kernel/deps/deps";
import { redirectTarget } from "../applications/redirect-uri";
import type { ShownApplication } from "../applications/rules";
import { type UnregisteredDetails, unregisteredDetails } from "../client-documents/service";
import { consentedScopes } from "../consents/service";
import type { NamedResourceServer } from "../resource-servers/rules";
import { findResourceServer } from "../resource-servers/service";
import { consentPurpose, returnPathFrom, urlParametersOf } from "./authorization-request";
import type { AuthorizationRequest } from "./rules";
import { countUsers, prepareAuthorization } from "./service";

/** The data of the consent page. */
export type Consent = Readonly<{
  application: ShownApplication;
  /** The details of an unregistered client; null for a registered application. */
  unregistered: UnregisteredDetails | null;
  user: User;
  /**
   * The number of users of the application. The value `USERS_COUNTED_MAX + 1` means more than
   * `USERS_COUNTED_MAX` users.
   */
  users: number;
  scopes: readonly Scope[];
  /** The resource server for which the client requests access; null for access to this instance. */
  resourceServer: NamedResourceServer | null;
  /**
   * The scopes that the user has already granted to the application; empty if the client requests access to a
   * resource server.
   */
  consented: readonly string[];
  target: ReturnType<typeof redirectTarget>;
  /** The parameters of the authorization request, which the consent form posts unchanged. */
  parameters: readonly (readonly [string, string])[];
  csrfToken: string;
  /**
   * The id of the consent form. If the user posts the consent form twice, the server issues only one
   * authorization code.
   */
  formId: string;
  /**
   * The path of the page on which the user can sign in with another account. After the sign-in, the page
   * redirects to the same authorization request.
   */
  otherAccountAt: string;
  now: Date;
}>;

/**
 * Returns the data of the consent page. If the request needs no consent, returns null, and the caller redirects the
 * browser to `/oauth/authorize`.
 */
export async function readConsent(
  deps: Deps,
  request: AuthorizationRequest,
  session: Session | null,
): Promise<Consent | null> {
  if (session === null || (await enrollsFirst(deps, session))) return null;
  const { decision, application } = await prepareAuthorization(deps, request, session);
  if (decision.kind !== "ask_consent" || application === null) return null;
  const resourceServer = await findResourceServer(deps, request.parameters.get("resource") ?? "");
  return {
    application,
    unregistered: await unregisteredDetails(deps, application),
    user: session.user,
    users: await countUsers(deps, application),
    scopes: decision.scopes,
    resourceServer,
    consented: resourceServer === null ? await consentedScopes(deps, session.user.id, application.id) : [],
    target: redirectTarget(request.parameters.get("redirect_uri") ?? ""),
    parameters: [...urlParametersOf(request)],
    csrfToken: sessionCsrfToken(deps, session, consentPurpose(request)),
    formId: Buffer.from(deps.randomBytes(16)).toString("base64url"),
    otherAccountAt: signInPath({ returnTo: returnPathFrom(request), again: true }),
    now: deps.clock(),
  };
}
