import type { Deps } from "@/kernel/deps/deps";
import { type Basic, basicOf } from "@/kernel/http/basic";
import type { Application } from "@/oauth/applications/rules";
import { authenticate, type ClientRefusal } from "@/oauth/applications/service";
import {
  assertionError,
  type PendingAssertion,
  pendingAssertion,
  presentsAssertion,
  verifyAssertionIn,
} from "./client-assertion";
import { BASIC_CHALLENGE, invalidRequest, OAuthError } from "./errors";
import type { Form } from "./form";
import { countRefusal } from "./refusals";

type Credentials = Readonly<{ id: string; secret: string | null }>;

/**
 * Authenticates the client of a request by HTTP Basic, by the form (RFC 6749 §2.3.1) or by an assertion (RFC
 * 7523 §2.2).
 * @throws OAuthError `invalid_client`; status 429 after too many failures; `invalid_request` for two
 * different credentials; or `temporarily_unavailable` if the keys or the metadata document
 * of the client cannot be read at the moment.
 */
export async function authenticateClient(deps: Deps, request: Request, form: Form): Promise<Application> {
  const { client, assertion } = await verifyClient(deps, request, form);
  try {
    await assertion?.claim();
    return client;
  } catch (cause) {
    throw await countRefusal(deps, request, client.uid, cause);
  }
}

/** A client with valid credentials, and its client assertion; null for other credentials. */
type VerifiedClient = Readonly<{ client: Application; assertion: PendingAssertion | null }>;

/**
 * Verifies the credentials of the client of a request, as `authenticateClient` does, but does not mark the
 * client assertion as used. The caller must mark the assertion as used before the response, and can do so
 * together with another write.
 */
export async function verifyClient(deps: Deps, request: Request, form: Form): Promise<VerifiedClient> {
  let identifiedUid: string | null = null;
  try {
    if (hasSeveralHeaders(request.headers.get("authorization") ?? ""))
      throw invalidRequest("Send one Authorization header.", "two_headers");
    if (presentsAssertion(form)) {
      const outcome = await verifyAssertionIn(deps, request, form);
      if ("application" in outcome)
        return { client: outcome.application, assertion: pendingAssertion(deps, outcome) };
      identifiedUid = outcome.clientUid;
      throw assertionError(outcome.refused);
    }
    const attempts = credentialsOf(request, form);
    let refusal: ClientRefusal = "client_unknown";
    for (const { id, secret } of attempts) {
      const outcome = await authenticate(deps, id, secret);
      if ("application" in outcome) return { client: outcome.application, assertion: null };
      refusal = outcome.refused;
      if (refusal !== "client_unknown") identifiedUid = id;
    }
    throw new OAuthError("invalid_client", DESCRIPTIONS[refusal], refusal, challengeFor(request));
  } catch (cause) {
    throw await countRefusal(deps, request, identifiedUid, cause);
  }
}

function credentialsOf(request: Request, form: Form): readonly Credentials[] {
  const header = request.headers.get("authorization");
  if (header === null || !isBasic(header)) return formCredentials(form);
  const basic = basicOf(header);
  return isEmpty(basic) ? formCredentials(form) : basicCredentials(basic, form);
}

/** Returns the `WWW-Authenticate` challenge for a client that used HTTP Basic (RFC 6749 §5.2). */
const challengeFor = (request: Request): { challenge?: string } =>
  isBasic(request.headers.get("authorization") ?? "") ? { challenge: BASIC_CHALLENGE } : {};

/** Returns whether the request contains client credentials. */
export const presentsClient = (request: Request, form: Form): boolean =>
  form.has("client_id") ||
  form.has("client_secret") ||
  presentsAssertion(form) ||
  hasCredentials(request.headers.get("authorization") ?? "");

const hasCredentials = (header: string): boolean =>
  hasSeveralHeaders(header) || (isBasic(header) && !isEmpty(basicOf(header)));

/**
 * Returns whether the request has HTTP Basic and another `Authorization` header. The HTTP parser joins headers
 * with commas.
 */
const hasSeveralHeaders = (header: string): boolean => /^basic\b.*,|,\s*basic\b/i.test(header);

/**
 * Returns whether the username and the password of an HTTP Basic header are empty. Empty values are treated
 * as absent credentials, because some clients without credentials send empty values.
 */
const isEmpty = (basic: Basic | null): boolean => basic?.username === "" && basic.password === "";

const isBasic = (header: string): boolean => /^basic(\s|$)/i.test(header);

const FAILED =
  "Client authentication failed: no client_id was sent, the client is unknown, or its secret is wrong.";

/**
 * The values of `error_description` for a failed client authentication. A missing client, an unknown client
 * and a wrong secret have the same description. The description of a missing secret says how to fix the
 * request.
 */
const DESCRIPTIONS: Readonly<Record<ClientRefusal, string>> = {
  client_unknown: FAILED,
  secret_wrong: FAILED,
  client_blocked: "An administrator of this server has blocked this application.",
  secret_unexpected: FAILED,
  assertion_missing:
    "This application authenticates with a signed assertion. Send client_assertion and client_assertion_type.",
  secret_missing:
    "This application is confidential and must send its client_secret. If the application cannot keep a secret, register it as public and use PKCE.",
};

function formCredentials(form: Form): readonly Credentials[] {
  const id = form.get("client_id");
  if (id === undefined) throw new OAuthError("invalid_client", FAILED, "client_missing");
  return [{ id, secret: form.get("client_secret") ?? null }];
}

/**
 * Returns the possible credentials of an HTTP Basic header: first percent-decoded (RFC 6749 §2.3.1), then
 * unchanged, because clients use both encodings. The form of the request may repeat the same credentials
 * (docs/decisions/0036).
 */
function basicCredentials(basic: Basic | null, form: Form): readonly Credentials[] {
  const raw = { id: basic?.username ?? "", secret: basic?.password ?? "" };
  const decoded = { id: formDecoded(raw.id), secret: formDecoded(raw.secret) };
  // No client ID contains the character U+0000, and PostgreSQL rejects text that contains this character.
  if (raw.id === "" || decoded.id.includes("\0"))
    throw new OAuthError(
      "invalid_client",
      "The Authorization header is not valid HTTP Basic.",
      "basic_malformed",
      {
        challenge: BASIC_CHALLENGE,
      },
    );
  const same = decoded.id === raw.id && decoded.secret === raw.secret;
  const bodySecret = form.get("client_secret");
  if (bodySecret !== undefined && bodySecret !== raw.secret && bodySecret !== decoded.secret)
    throw invalidRequest(
      "The client_secret differs from the secret in the Authorization header.",
      "two_credentials",
    );
  const bodyId = form.get("client_id");
  if (bodyId !== undefined && bodyId !== raw.id && bodyId !== decoded.id)
    throw invalidRequest("The client_id differs from the client in the Authorization header.", "two_clients");
  return same ? [raw] : [decoded, raw];
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
