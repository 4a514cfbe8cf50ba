import { notFound } from "next/navigation";
import { requireSession } from "@/identity/sessions/loaders";
import type { Session } from "@/identity/sessions/service";
import { readSettings } from "@/instance/settings/service";
import { type Deps, systemDeps } from "@/kernel/deps/deps";
import { type Query, textOf } from "@/kernel/http/query";
import type { ShownApplication } from "@/oauth/applications/rules";
import { idFrom } from "@/oauth/applications/schema";
import { findOwn } from "@/oauth/applications/service";
import { beginTrial, type Trial, takeTrial, trialRedirectUri } from "@/oauth/authorizations/trial";
import { trialPath } from "@/oauth/authorizations/trial-path";
import { findBearer, revokeGrantOf } from "@/oauth/tokens/service";
import { OAuthError } from "../errors";
import { authorizationCode } from "../grants/authorization-code";
import { userinfo } from "../userinfo";
import { type Step, stepsOf, type TrialResponse } from "./steps";

type RequestHandler = (request: Request) => Promise<Response>;

/** Starts a trial authorization, and returns the data of its page. */
export async function loadTrial(
  id: string,
): Promise<Readonly<{ application: ShownApplication; authorizationUrl: string; redirectUri: string }>> {
  const { session, application } = await ownApplication(id);
  const deps = systemDeps();
  const parameters = await beginTrial(deps, session, application);
  return {
    application,
    authorizationUrl: `${deps.config.issuer}/oauth/authorize?${new URLSearchParams(parameters)}`,
    redirectUri: trialRedirectUri(deps, application.id),
  };
}

/**
 * The steps of a completed trial authorization; null when the authorization response does not belong to a
 * trial authorization of this session.
 */
export type TrialResult = Readonly<{ application: ShownApplication; steps: readonly Step[] | null }>;

/**
 * Completes a trial authorization: exchanges the authorization code, calls userinfo and `GET /user` with the
 * access token, and revokes the tokens. The server exchanges the authorization code without the client
 * secret, because the signed-in user owns the application.
 * @param getUser the endpoint `GET /api/v4/user`.
 */
export async function loadTrialResult(
  id: string,
  query: Query,
  getUser: RequestHandler,
): Promise<TrialResult> {
  const { session, application } = await ownApplication(id);
  const deps = systemDeps();
  const trial = await takeTrial(deps, session, application, textOf(query, "state"));
  if (trial === null) return { application, steps: null };
  const responses = await run(deps, { application, trial, query, getUser });
  const { issuer } = deps.config;
  const redirectUri = trialRedirectUri(deps, application.id);
  return { application, steps: stepsOf({ issuer, redirectUri, application, trial, ...responses }) };
}

async function ownApplication(
  id: string,
): Promise<Readonly<{ session: Session; application: ShownApplication }>> {
  const session = await requireSession(trialPath(idFrom(id)));
  const application = await findOwn(systemDeps(), session.user, idFrom(id));
  return { session, application: application ?? notFound() };
}

type Run = Readonly<{ application: ShownApplication; trial: Trial; query: Query; getUser: RequestHandler }>;

async function run(deps: Deps, { application, trial, query, getUser }: Run) {
  const authorization = Object.fromEntries(
    ["code", "error", "error_description", "state", "iss"].flatMap((name) => {
      const value = textOf(query, name);
      return value === "" ? [] : [[name, value]];
    }),
  );
  const code = textOf(query, "code");
  if (code === "") return { authorization, token: null, userinfo: null, user: null };
  const form = new Map([
    ["code", code],
    ["redirect_uri", trialRedirectUri(deps, application.id)],
    ["code_verifier", trial.codeVerifier],
  ]);
  const caller = { ipAddress: "unknown", userAgent: "" };
  const settings = await readSettings(deps);
  const call = { deps, settings, client: application, assertion: null, caller, dpopJkt: null };
  const token = await responseOf(() =>
    authorizationCode.client === "required"
      ? authorizationCode.exchange(call, form)
      : Promise.reject(new Error("The grant requires a client.")),
  );
  const accessToken = "access_token" in token.body ? String(token.body.access_token) : null;
  if (accessToken === null) return { authorization, token, userinfo: null, user: null };
  try {
    const headers = { authorization: `Bearer ${accessToken}` };
    const { issuer } = deps.config;
    const claims = await responseOf(() =>
      userinfo(deps, new Request(`${issuer}/oauth/userinfo`, { headers })),
    );
    const response = await getUser(new Request(`${issuer}/api/v4/user`, { headers }));
    return {
      authorization,
      token,
      userinfo: claims,
      user: { status: response.status, body: await response.json() },
    };
  } finally {
    await revoke(deps, accessToken);
  }
}

/** Calls the handler of an endpoint. @returns the response of the endpoint, also for an error. */
async function responseOf(endpoint: () => Promise<object>): Promise<TrialResponse> {
  try {
    return { status: 200, body: await endpoint() };
  } catch (cause) {
    if (!(cause instanceof OAuthError)) throw cause;
    return { status: cause.status, body: { error: cause.code, error_description: cause.message } };
  }
}

async function revoke(deps: Deps, accessToken: string): Promise<void> {
  const bearer = await findBearer(deps, accessToken, null);
  if (bearer === null) return;
  const { familyId, applicationId } = bearer.row;
  await revokeGrantOf(deps, { familyId, applicationId, user: bearer.user }, "holder");
}
