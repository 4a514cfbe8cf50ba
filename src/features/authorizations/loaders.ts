import type { User } from "@/access/principal";
import type { Scope } from "@/access/scopes";
import { systemDeps } from "@/platform/deps";
import { Malformed } from "@/platform/http/parameters";
import { redirectTarget } from "../applications/redirect-uri";
import type { Application } from "../applications/rules";
import { currentSession, formTokenFor } from "../sign-in/loaders";
import { signInPath } from "../sign-in/rules";
import { enrolsFirst } from "../sign-in/service";
import { consentPurpose, queryFrom, readAsk } from "./authorization-request";
import type { Ask } from "./rules";
import { countPeople, prepareAuthorization } from "./service";

/** All that the consent page shows and posts back. */
export type Consent = Readonly<{
  application: Application;
  user: User;
  /** How many people have allowed it something; one more than `PEOPLE_COUNTED_MAX` stands for many. */
  people: number;
  scopes: readonly Scope[];
  target: ReturnType<typeof redirectTarget>;
  /** The request, to be posted back as it came. */
  parameters: readonly (readonly [string, string])[];
  formToken: string;
  /** Which form this is: posted twice, it gives one code. */
  formId: string;
  /** Where another account can be signed in for the same request. */
  otherAccountAt: string;
  now: Date;
}>;

/** @returns null when there is nothing to ask: `/oauth/authorize` then says what is. */
export async function loadConsent(query: string): Promise<Consent | null> {
  const deps = systemDeps();
  const ask = askOrNull(query);
  const session = await currentSession();
  if (ask === null || session === null || (await enrolsFirst(deps, session))) return null;
  const { verdict, application } = await prepareAuthorization(deps, ask, session);
  if (verdict.kind !== "ask_consent" || application === null) return null;
  return {
    application,
    user: session.user,
    people: await countPeople(deps, application),
    scopes: verdict.scopes,
    target: redirectTarget(ask.parameters.get("redirect_uri") ?? ""),
    parameters: [...ask.parameters],
    formToken: formTokenFor(session, consentPurpose(ask)),
    formId: Buffer.from(deps.randomBytes(16)).toString("base64url"),
    otherAccountAt: signInPath({ returnTo: `/oauth/authorize?${queryFrom(ask)}`, again: true }),
    now: deps.clock(),
  };
}

function askOrNull(query: string): Ask | null {
  try {
    return readAsk(query);
  } catch (cause) {
    if (cause instanceof Malformed) return null;
    throw cause;
  }
}
