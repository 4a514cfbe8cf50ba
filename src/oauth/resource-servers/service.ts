import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import { lockInstance } from "@/instance/lock/instance-lock";
import type { Deps } from "@/kernel/deps/deps";
import { findApplication } from "../applications/administration";
import { readResource } from "../tokens/resource";
import { type NamedResourceServer, validateIdentifiers } from "./rules";
import * as store from "./store";

/**
 * Returns the protected resource that the parameter `resource` names (RFC 8707 §2): a resource of this
 * instance, or the identifier of a resource server.
 * @returns null for a URI that is not a known protected resource.
 */
export async function resolveResource(deps: Deps, text: string): Promise<string | null> {
  const own = readResource(text, deps.config.issuer);
  if (own !== null) return own;
  return (await findResourceServer(deps, text)) === null ? null : text;
}

/**
 * Returns whether the resource of a request is the identifier of a resource server, and not a protected
 * resource of this instance.
 * @param resource a resource that `resolveResource` has returned; null for a request without a resource.
 */
export const isOfResourceServer = (deps: Deps, resource: string | null): boolean =>
  resource !== null && readResource(resource, deps.config.issuer) === null;

/** Returns the resource server with this identifier; null if no resource server uses the identifier. */
export async function findResourceServer(deps: Deps, uri: string): Promise<NamedResourceServer | null> {
  const name = isStorable(uri) ? await store.findName(deps.db, uri) : null;
  return name === null ? null : { name, uri };
}

/**
 * Returns whether a URI can be the identifier of a resource server. A text that cannot be an identifier is
 * not sent to the database, because PostgreSQL rejects U+0000.
 */
const isStorable = (uri: string): boolean => /^[\x21-\x7e]{1,512}$/.test(uri);

/** Returns whether the URI of a protected resource is an identifier of this application. */
export const isIdentifierOf = (deps: Deps, uri: string, applicationId: number): Promise<boolean> =>
  store.belongsTo(deps.db, uri, applicationId);

/** Returns the identifiers of an application, in alphabetical order. */
export const identifiersOf = (deps: Deps, applicationId: number): Promise<readonly string[]> =>
  store.list(deps.db, applicationId);

/**
 * Replaces the identifiers of a resource server.
 * @param text one URI per line.
 * @returns the error message about the identifiers; null if the identifiers were replaced.
 */
export async function setIdentifiers(deps: Deps, by: User, id: number, text: string): Promise<string | null> {
  const validation = validateIdentifiers(text, deps.config.issuer);
  if ("problem" in validation) return validation.problem;
  const { uris } = validation;
  return deps.transaction(async (within) => {
    await lockInstance(within);
    const application = await findApplication(within, id);
    if (!application?.resourceServer) return "The application is not a resource server.";
    const [used] = await store.usedByOthers(within.db, uris, id);
    if (used !== undefined) return `${used} is an identifier of another application.`;
    const before = await store.list(within.db, id);
    if (before.join("\n") === [...uris].sort().join("\n")) return null;
    await store.replace(within.db, id, uris, within.clock());
    const about = { applicationId: id, actorId: by.id };
    await audit.record(within, "application.resource_identifiers_changed", { identifiers: uris }, about);
    return null;
  });
}
