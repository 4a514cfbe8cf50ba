import { basicOf } from "@/kernel/http/basic";
import { SeveralTokens, tokenOf, tokensInHeader } from "@/kernel/http/bearer";
import { twoTokens } from "./errors";
import { type Body, bodyTexts } from "./input";

/** The parameters of the query and of the body that contain a token. */
export const TOKEN_PARAMETERS = ["access_token", "bearer_token", "private_token"];

/**
 * Returns the token of a request (RFC 6750 §2, and the GitLab API's own parameters and headers); null for a
 * request without a token.
 * @param body the body of the request, which may contain the token.
 * @param basic whether the token may also be the password of HTTP Basic authentication.
 * @param deploy whether the header `Deploy-Token` may contain the token.
 * @throws ApiError 400 when the request contains two different tokens.
 */
export function presentedToken(
  request: Request,
  body: Body,
  { basic = false, deploy = false }: Readonly<{ basic?: boolean | undefined; deploy?: boolean }> = {},
): string | null {
  const authorization = request.headers.get("authorization");
  const carried = [...tokensInHeader(request.headers.get("private-token"))];
  if (deploy) carried.push(...tokensInHeader(request.headers.get("deploy-token")));
  if (basic && authorization !== null) carried.push(basicOf(authorization)?.password ?? "");
  if (request.url.includes("?")) {
    const query = new URL(request.url).searchParams;
    for (const name of TOKEN_PARAMETERS) carried.push(...query.getAll(name));
  }
  carried.push(...bodyTexts(body, TOKEN_PARAMETERS));
  if (TOKEN_PARAMETERS.some((name) => body.part.repeated.has(name))) throw twoTokens();
  try {
    return tokenOf(authorization, carried);
  } catch (cause) {
    throw cause instanceof SeveralTokens ? twoTokens() : cause;
  }
}
