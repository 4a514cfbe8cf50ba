import { Malformed, type Parameters, parseParameters, queryOf } from "@/kernel/http/parameters";
import { invalidRequest } from "./errors";
import { type Form, TOKEN_PARAMETERS } from "./form";

/**
 * The access token of a request (RFC 6750 §2): from `Authorization: Bearer`, or from `access_token` or `bearer_token`
 * in the query, or in the form where the endpoint accepts one.
 * @param form the form that was posted, if the endpoint reads one.
 * @returns null when there is none.
 * @throws OAuthError `invalid_request` when two different ones came, or the same parameter twice.
 */
export function presentedBearer(request: Request, form: Form | null = null): string | null {
  const query = queryParameters(request);
  const twice = TOKEN_PARAMETERS.find((name) => query.repeated.has(name));
  if (twice !== undefined) throw invalidRequest(`Parameter sent more than once: ${twice}.`, "repeated");
  const carried = [
    fromHeader(request.headers.get("authorization")),
    ...TOKEN_PARAMETERS.flatMap((name) => [query.values.get(name), form?.get(name)]),
  ].filter((token) => typeof token === "string");
  if (carried.some((token) => token !== carried[0]))
    throw invalidRequest("The request carries two different access tokens. Send one.", "two_tokens");
  return carried[0] ?? null;
}

/** The scheme is compared without case (RFC 9110 §11.1). */
function fromHeader(header: string | null): string | null {
  if (header === null || !/^bearer\s/i.test(header)) return null;
  // Several headers arrive as one, joined by commas, which no token holds (RFC 6750 §2.1).
  if (header.includes(",")) throw invalidRequest("Send one Authorization header.", "two_headers");
  return header.slice("bearer ".length).trim() || null;
}

function queryParameters(request: Request): Parameters {
  try {
    return parseParameters(queryOf(request.url));
  } catch (cause) {
    if (!(cause instanceof Malformed)) throw cause;
    throw invalidRequest(
      "The query could not be read: its encoding is broken.",
      `malformed_${cause.message}`,
    );
  }
}

/** What a `WWW-Authenticate` header says of a refused bearer token (RFC 6750 §3). */
type BearerProblem = Readonly<{ code: string; description: string }>;

/** The value of `WWW-Authenticate`; without a problem where no token was sent (RFC 6750 §3.1). */
export const bearerChallenge = (problem?: BearerProblem): string =>
  'Bearer realm="Gatehouse"' +
  (problem === undefined ? "" : `, error="${problem.code}", error_description="${problem.description}"`);
