import type { IncomingMessage } from "node:http";
import type { Profile, Strategy } from "passport-oauth2";
import { listenOnLoopback } from "../loopback.ts";

/** The result of a sign-in attempt. */
export type Outcome =
  | Readonly<{ kind: "signed_in"; profile: Profile; accessToken: string; refreshToken: string | undefined }>
  | Readonly<{ kind: "refused"; message: string | undefined }>
  | Readonly<{ kind: "failed"; error: Error }>;

/** A web site that signs users in with a single strategy of passport. */
export type PassportSite = Readonly<{
  callbackUrl: string;
  /** The URL at which the sign-in begins. */
  signInUrl: string;
  use: (strategy: Strategy) => void;
  /** Returns the result of the last sign-in attempt. */
  outcome: () => Outcome | undefined;
  close: () => Promise<void>;
}>;

type AttemptResult = Readonly<{ redirectTo: string }> | Outcome;

/** Runs a strategy for one request, as passport's middleware does. */
function attempt(strategy: Strategy, request: object): Promise<AttemptResult> {
  return new Promise((resolve) => {
    const running: Strategy = Object.create(strategy);
    running.redirect = (url) => resolve({ redirectTo: url });
    running.success = (user) => resolve(user as Outcome);
    running.fail = (challenge) => resolve({ kind: "refused", message: challenge?.message });
    running.error = (error) => resolve({ kind: "failed", error });
    running.authenticate(request);
  });
}

/** The result of `verify`, which the strategies call with the tokens and the profile. */
export function remember(
  accessToken: string,
  refreshToken: string | undefined,
  profile: Profile,
  done: (error: Error | null, user?: object) => void,
): void {
  const outcome: Outcome = { kind: "signed_in", profile, accessToken, refreshToken };
  done(null, outcome);
}

/** Opens the site on a loopback port. The site has only one session, because only one browser visits it. */
export async function openPassportSite(): Promise<PassportSite> {
  let strategy: Strategy | null = null;
  let outcome: Outcome | undefined;
  const session = {};

  async function answer(incoming: IncomingMessage): Promise<Readonly<{ location?: string; title: string }>> {
    const url = new URL(incoming.url ?? "/", "http://127.0.0.1");
    if (strategy === null || !["/sign_in", "/callback"].includes(url.pathname)) return { title: "Nothing" };
    const request = { headers: incoming.headers, query: Object.fromEntries(url.searchParams), session };
    const ended = await attempt(strategy, request);
    if ("redirectTo" in ended) return { title: "Onward", location: ended.redirectTo };
    outcome = ended;
    return { title: ended.kind };
  }

  const { origin, close } = await listenOnLoopback(async (incoming, outgoing) => {
    const { location, title } = await answer(incoming);
    if (location !== undefined) outgoing.writeHead(302, { location });
    outgoing.end(`<!DOCTYPE html><title>${title}</title><h1>Back at the client</h1>`);
  });
  return {
    callbackUrl: `${origin}/callback`,
    signInUrl: `${origin}/sign_in`,
    use: (next) => {
      strategy = next;
      outcome = undefined;
    },
    outcome: () => outcome,
    close,
  };
}
