import { MACHINE_SCOPES, type Scope } from "@/access/scopes";

type Draft = Readonly<{
  scopes: readonly string[];
  confidential: boolean | null;
  clientCredentialsScopes?: readonly string[];
}>;

/**
 * Returns the scopes that a draft of an application selects for the client credentials grant, in the order of
 * the catalog of scopes; undefined if the draft contains no selection of these scopes. A public application
 * has no scopes of the client credentials grant, because it cannot authenticate (RFC 6749 §4.4).
 */
export function machineScopesOf({
  confidential,
  clientCredentialsScopes: words,
}: Draft): readonly Scope[] | undefined {
  if (confidential === false) return [];
  return words && MACHINE_SCOPES.filter((scope) => words.includes(scope));
}

/** Returns the error messages about the scopes that a draft selects for the client credentials grant. */
export function machineScopeProblems({
  scopes,
  confidential,
  clientCredentialsScopes: words = [],
}: Draft): readonly string[] {
  if (confidential === false) return [];
  const impossible = words.filter((word) => !MACHINE_SCOPES.some((scope) => scope === word));
  if (impossible.length > 0)
    return [
      `The client credentials grant cannot have these scopes: ${impossible.map((word) => word.slice(0, 64)).join(", ")}.`,
    ];
  const missing = words.filter((word) => !scopes.includes(word));
  return missing.length === 0 ? [] : [`Select these scopes for the application, too: ${missing.join(", ")}.`];
}
