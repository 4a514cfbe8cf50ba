import { systemDeps } from "@/kernel/deps/deps";
import { readFields, refused } from "@/kernel/http/form-response";
import { formOrigin } from "@/kernel/http/same-origin";
import { sessionCsrfTokenMatches, sessionOf } from "../sessions/service";
import { recoveryCodeFile } from "./recovery-code";
import { codesPurpose } from "./rules";

/**
 * `POST /users/recovery_codes` returns the recovery codes that a page has just shown, as a file. The page
 * sends the recovery codes in the request, because the server does not store the codes in plain text. The
 * CSRF token of the form is valid for exactly these recovery codes. The recovery codes are never part of a
 * URL.
 */
export async function postRecoveryCodes(request: Request): Promise<Response> {
  const deps = systemDeps();
  if (formOrigin(request.headers, deps.config.issuer) === "other") return refused();
  const form = await readFields(request);
  const session = await sessionOf(deps, request.headers.get("cookie"));
  const codes = form?.get("codes") ?? "";
  const token = form?.get("form_token") ?? "";
  if (session === null || !sessionCsrfTokenMatches(deps, session, codesPurpose(codes), token))
    return refused();
  const text = recoveryCodeFile(deps.config.issuer, session.user.username, codes.split(" "));
  return new Response(text, {
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "content-disposition": 'attachment; filename="gatehouse-recovery-codes.txt"',
      "cache-control": "no-store",
    },
  });
}
