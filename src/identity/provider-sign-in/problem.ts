import type { Deps } from "@/kernel/deps/deps";
import { flashCookie } from "@/kernel/http/cookie";
import { seeOther } from "@/kernel/http/form-response";
import type { Provider } from "../providers/rules";
import { confirmPath, type SignInProblem, signInPath } from "../sessions/sign-in-path";
import { problemText, providerProblemText } from "../sign-in/rules";
import type { Purpose } from "./pending";

/** The purpose of an authorization request to a provider, and the page to which the user returns. */
export type ProviderRequest = Readonly<{
  purpose: Purpose;
  returnTo: string;
  repeat: boolean;
  recent: boolean;
}>;

/**
 * Redirects a user to the page from which a failed sign-in at a provider started, so that the page shows the
 * reason of the failure.
 */
export function backWithProblem(
  deps: Deps,
  provider: Provider,
  { purpose, returnTo, repeat, recent }: ProviderRequest,
  problem: SignInProblem,
): Response {
  if (purpose === "sign_in") return seeOther(deps, signInPath({ returnTo, again: true, recent, problem }));
  if (purpose === "confirm") return seeOther(deps, confirmPath({ returnTo, repeat, problem }));
  const minutes = problem.problem === "limit" ? String(problem.minutes) : undefined;
  const text =
    providerProblemText(problem.problem, provider.label) ??
    problemText(problem.problem, minutes, `The account at ${provider.label} was not linked. Try again.`);
  return seeOther(deps, returnTo, text === null ? [] : [flashCookie(deps.config, text)]);
}
