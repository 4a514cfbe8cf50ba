import type { User } from "@/access/principal";
import type { Scope } from "@/access/scopes";
import { enrolsFirst, type Session, sessionCsrfToken } from "@/identity/sessions/service";
import { signInPath } from "@/identity/sessions/sign-in-path";
import type { Deps } from "@/kernel/deps/deps";
import { redirectTarget } from "../applications/redirect-uri";
import type { ShownApplication } from "../applications/rules";
import { consentPurpose, queryFrom } from "./authorization-request";
import type { AuthorizationRequest } from "./rules";
import { countUsers, prepareAuthorization } from "./service";

/** All that the consent page shows and posts back. */
export type Consent = Readonly<{
  application: ShownApplication;
  user: User;
  /** How many people have allowed it something; one more than `USERS_COUNTED_MAX` stands for many. */
  users: number;
  scopes: readonly Scope[];
  target: ReturnType<typeof redirectTarget>;
  /** The request, to be posted back as it came. */
  parameters: readonly (readonly [string, string])[];
  csrfToken: string;
  /** Which form this is: posted twice, it gives one code. */
  formId: string;
  /** Where another account can be signed in for the same request. */
  otherAccountAt: string;
  now: Date;
}>;

/** @returns null when there is nothing to ask: `/oauth/authorize` then says what is. */
export async function readConsent(
  deps: Deps,
  request: AuthorizationRequest,
  session: Session | null,
): Promise<Consent | null> {
  if (session === null || (await enrolsFirst(deps, session))) return null;
  const { verdict, application } = await prepareAuthorization(deps, request, session);
  if (verdict.kind !== "ask_consent" || application === null) return null;
  return {
    application,
    user: session.user,
    users: await countUsers(deps, application),
    scopes: verdict.scopes,
    target: redirectTarget(request.parameters.get("redirect_uri") ?? ""),
    parameters: [...request.parameters],
    csrfToken: sessionCsrfToken(deps, session, consentPurpose(request)),
    formId: Buffer.from(deps.randomBytes(16)).toString("base64url"),
    otherAccountAt: signInPath({ returnTo: `/oauth/authorize?${queryFrom(request)}`, again: true }),
    now: deps.clock(),
  };
}
