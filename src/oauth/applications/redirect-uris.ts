import { redirectUriProblem } from "./redirect-uri";

/** The maximum number of redirect URIs of an application. */
export const REDIRECT_URIS_MAX = 50;

export const linesOf = (text: string): readonly string[] =>
  text.split(/\r\n|\r|\n/).map((line) => line.trim());

/**
 * Returns the error messages about the redirect URIs in a text with one URI per line. The application form
 * calls this function while the user types.
 */
export function redirectUriProblems(text: string, plainHttp: boolean): readonly string[] {
  const lines = linesOf(text);
  const filled = lines.filter((line) => line !== "").length;
  if (filled === 0) return ["Enter at least one redirect URI."];
  if (filled > REDIRECT_URIS_MAX) return [`Enter at most ${REDIRECT_URIS_MAX} redirect URIs.`];
  return lines.flatMap((line, index) => {
    const problem = line === "" ? null : redirectUriProblem(line, plainHttp);
    return problem === null ? [] : [`Line ${index + 1} ${problem}.`];
  });
}
