import { notFound } from "next/navigation";
import type { User } from "@/access/principal";
import type { Scope } from "@/access/scopes";
import { currentSession, formTokenFor, requireSession } from "@/identity/sessions/loaders";
import { enrolsFirst } from "@/identity/sessions/service";
import { signInPath } from "@/identity/sessions/sign-in-path";
import { systemDeps } from "@/kernel/deps/deps";
import { Malformed } from "@/kernel/http/parameters";
import { addressOf, cursorIn, neighbours, type Query, readId } from "@/kernel/paging/keyset";
import { redirectTarget } from "../applications/redirect-uri";
import type { ShownApplication } from "../applications/rules";
import { type GrantSummary, type LiveGrant, liveGrants } from "../tokens/live-grants";
import { consentPurpose, queryFrom, readAsk } from "./authorization-request";
import {
  type AuthorizedApplication,
  authorizedApplication,
  authorizedApplications,
  grantsWithoutApplication,
} from "./authorized-application";
import type { Ask } from "./rules";
import { countPeople, prepareAuthorization } from "./service";

/** All that the consent page shows and posts back. */
export type Consent = Readonly<{
  application: ShownApplication;
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

const AUTHORIZED = "/user_settings/authorized_applications";
const APPLICATIONS_MAX = 10;
const GRANTS_MAX = 20;

type Neighbours = Readonly<{ newer: string | null; older: string | null }>;

/** A page of what the signed-in person has allowed. */
export type AllowedPage = Neighbours &
  Readonly<{
    applications: readonly AuthorizedApplication[];
    /** Without any application; null on all pages but the newest. */
    unnamed: GrantSummary | null;
    now: Date;
  }>;

export async function loadAuthorizedApplications(query: Query): Promise<AllowedPage> {
  const { user } = await requireSession(AUTHORIZED);
  const deps = systemDeps();
  const cursor = cursorIn(query, readId);
  const slice = await authorizedApplications(deps, user.id, cursor, APPLICATIONS_MAX);
  return {
    applications: slice.rows,
    unnamed: slice.hasNewer ? null : await grantsWithoutApplication(deps, user.id),
    now: deps.clock(),
    ...neighbours(
      slice,
      ({ id }) => String(id),
      (beside) => addressOf(AUTHORIZED, beside),
    ),
  };
}

/** A page of the tokens that one application has of the signed-in person. */
export type GrantsPage = Neighbours &
  Readonly<{
    /** Null: given to nobody that is registered. */
    application: AuthorizedApplication | null;
    grants: readonly LiveGrant[];
    now: Date;
  }>;

/** @param id of an application, or `none`; for one that the person has allowed nothing the page does not exist. */
export async function loadAuthorizedApplication(id: string, query: Query): Promise<GrantsPage> {
  const path = `${AUTHORIZED}/${encodeURIComponent(id)}`;
  const { user } = await requireSession(path);
  const deps = systemDeps();
  const applicationId = id === "none" ? null : (readId(id) ?? notFound());
  const application =
    applicationId === null
      ? null
      : ((await authorizedApplication(deps, { userId: user.id, applicationId })) ?? notFound());
  const whose = { userId: user.id, applicationId };
  const slice = await liveGrants(deps, whose, cursorIn(query, readId), GRANTS_MAX);
  return {
    application,
    grants: slice.rows,
    now: deps.clock(),
    ...neighbours(
      slice,
      (grant) => String(grant.id),
      (beside) => addressOf(path, beside),
    ),
  };
}
