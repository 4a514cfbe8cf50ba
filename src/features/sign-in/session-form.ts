import { PasswordsBusy } from "@/platform/crypto/password";
import { isUnavailable, RETRY_AFTER_SECONDS } from "@/platform/db/errors";
import { type Deps, systemDeps } from "@/platform/deps";
import { clientAddressOf } from "@/platform/http/address";
import { BodyTooLarge, readBody } from "@/platform/http/body";
import { setCookie } from "@/platform/http/cookie";
import { Malformed, parseParameters } from "@/platform/http/parameters";
import { formOrigin } from "@/platform/http/same-origin";
import { type SignInProblem, safeReturnPath, signInPath } from "./rules";
import { sessionFormTokenMatches, sessionOf, signIn, signOut } from "./service";

/** Keeps the login that was typed for the next look at the form; the password is never kept. */
export const LOGIN_COOKIE = "gatehouse.login";
const LOGIN_COOKIE_SECONDS = 60;

const BYTES_MAX = 65_536;

/** `POST /users/session`: signing in and out by plain forms, answered by 303, without any script. */
export async function postSession(request: Request): Promise<Response> {
  const deps = systemDeps();
  if (formOrigin(request.headers, deps.config.issuer) === "other") return refused();
  const form = await readFields(request);
  if (form === null) return refused();
  try {
    return await (form.get("intent") === "sign_out"
      ? leave(deps, request, form)
      : enter(deps, request, form));
  } catch (cause) {
    if (isUnavailable(cause)) return unavailable();
    throw cause;
  }
}

type Fields = ReadonlyMap<string, string>;

async function enter(deps: Deps, request: Request, form: Fields): Promise<Response> {
  const login = (form.get("login") ?? "").trim().slice(0, 254);
  const returnTo = safeReturnPath(form.get("return_to"), "/");
  const outcome = await attempt(deps, request, { login, password: form.get("password") ?? "" });
  if ("cookie" in outcome) {
    // The browser's former session would stay good for whoever else holds its cookie.
    await signOut(deps, await sessionOf(deps, request.headers.get("cookie")));
    return seeOther(deps, returnTo, [outcome.cookie, loginCookie(deps, "")]);
  }
  deps.log.info({ event: "sign_in.refused", reason: outcome.problem });
  const path = signInPath({ returnTo, again: form.has("again"), problem: outcome });
  return seeOther(deps, path, [loginCookie(deps, login)]);
}

async function attempt(
  deps: Deps,
  request: Request,
  typed: Readonly<{ login: string; password: string }>,
): Promise<{ readonly cookie: string } | SignInProblem> {
  if (typed.login === "") return { problem: "wrong" };
  try {
    const outcome = await signIn(deps, { ...typed, address: clientAddressOf(request) });
    if ("cookie" in outcome) return outcome;
    if (outcome.refused === "wrong") return { problem: "wrong" };
    return { problem: "limit", minutes: Math.ceil(outcome.retryAfterSeconds / 60) };
  } catch (cause) {
    if (cause instanceof PasswordsBusy) return { problem: "busy" };
    throw cause;
  }
}

async function leave(deps: Deps, request: Request, form: Fields): Promise<Response> {
  const session = await sessionOf(deps, request.headers.get("cookie"));
  if (session !== null && !sessionFormTokenMatches(deps, session, "sign_out", form.get("form_token") ?? ""))
    return refused();
  return seeOther(deps, "/users/sign_in", [await signOut(deps, session)]);
}

/** Null for what no form of ours sends: another encoding, too much of it, or text that is broken. */
async function readFields(request: Request): Promise<Fields | null> {
  const type = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") return null;
  try {
    return parseParameters(Buffer.from(await readBody(request, BYTES_MAX)).toString("utf8")).values;
  } catch (cause) {
    if (cause instanceof BodyTooLarge || cause instanceof Malformed) return null;
    throw cause;
  }
}

function loginCookie(deps: Deps, login: string): string {
  const seconds = login === "" ? 0 : LOGIN_COOKIE_SECONDS;
  return setCookie(deps.config, LOGIN_COOKIE, encodeURIComponent(login), "/users/sign_in", seconds);
}

function seeOther(deps: Deps, path: string, cookies: readonly string[]): Response {
  const headers = new Headers({ location: deps.config.issuer + path, "cache-control": "no-store" });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 303, headers });
}

const unavailable = (): Response =>
  new Response("The service is not available. Nothing was changed. Try again in a moment.\n", {
    status: 503,
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-store",
      "retry-after": String(RETRY_AFTER_SECONDS),
    },
  });

const refused = (): Response =>
  new Response("This form did not come from a page of this site. Go back, reload the page and try again.\n", {
    status: 403,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });
