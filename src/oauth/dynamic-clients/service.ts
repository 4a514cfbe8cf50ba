import { instanceNamesOf } from "@/identity/users/new-password";
import { readSettings } from "@/instance/settings/service";
import { digest, newToken } from "@/kernel/crypto/token";
import type { Deps } from "@/kernel/deps/deps";
import { SECRET_AUTHENTICATION } from "../applications/client-authentication";
import { allowsPlainHttp } from "../applications/service";
import { removeUnregistered, saveUnregistered } from "../applications/unregistered";
import { type DynamicRegistration, type RegistrationProblem, shownName, validateRegistration } from "./rules";
import type { ClientMetadata } from "./schema";
import * as store from "./store";

/** The registration of a client, with its registration access token in plain text. */
export type RegisteredClient = DynamicRegistration &
  Readonly<{ uid: string; createdAt: Date; registrationToken: string }>;

type Refusal = RegistrationProblem | "off";

/**
 * Registers a client (RFC 7591 §3). The registered client is public and must use PKCE. The registration
 * access token is stored as a digest.
 * @returns the client, the error in its metadata, or `off` while the registration of clients is disabled.
 */
export async function registerClient(
  deps: Deps,
  metadata: ClientMetadata,
): Promise<RegisteredClient | Refusal> {
  const validation = await validate(deps, metadata);
  if (validation === "off" || "problem" in validation) return validation;
  const { registration } = validation;
  const registrationToken = newToken(deps.randomBytes, "registration");
  const uid = Buffer.from(deps.randomBytes(32)).toString("hex");
  return deps.transaction(async (within) => {
    const { id, createdAt } = await save(within, uid, registration, []);
    const { clientName, applicationType } = registration;
    const row = { applicationId: id, clientName, applicationType, tokenDigest: digest(registrationToken) };
    await store.insertRegistration(within.db, row);
    return { ...registration, uid, createdAt, registrationToken };
  });
}

/**
 * Returns the registration of a client (RFC 7592 §2.1).
 * @returns null if the registration access token does not belong to the client, or the client is blocked.
 */
export async function findRegistration(
  deps: Deps,
  uid: string,
  registrationToken: string,
): Promise<store.StoredRegistration | null> {
  const row = await store.findByToken(deps.db, digest(registrationToken));
  return row === null || row.application.uid !== uid || row.application.blockedAt !== null ? null : row;
}

/**
 * Replaces the metadata of a client (RFC 7592 §2.2).
 * @returns the changed client, the error in its metadata, or `off` while the registration of clients is
 * disabled.
 */
export async function changeRegistration(
  deps: Deps,
  stored: store.StoredRegistration,
  metadata: ClientMetadata,
  registrationToken: string,
): Promise<RegisteredClient | Refusal> {
  const validation = await validate(deps, metadata);
  if (validation === "off" || "problem" in validation) return validation;
  const { registration } = validation;
  const { applicationId, application } = stored;
  const { uid } = application;
  return deps.transaction(async (within) => {
    const { clientName, applicationType } = registration;
    const otherChanges = applicationType === stored.applicationType ? [] : ["application_type"];
    const { createdAt } = await save(within, uid, registration, otherChanges);
    await store.updateRegistration(within.db, applicationId, { clientName, applicationType });
    return { ...registration, uid, createdAt, registrationToken };
  });
}

/** Deletes a client with its tokens (RFC 7592 §2.3). */
export const removeRegistration = (
  deps: Deps,
  { applicationId, application }: store.StoredRegistration,
): Promise<void> => removeUnregistered(deps, { id: applicationId, name: application.name });

async function validate(deps: Deps, metadata: ClientMetadata) {
  const { dynamic_client_registration: admitted } = await readSettings(deps);
  if (admitted === "off") return "off";
  return validateRegistration(metadata, {
    admitted,
    plainHttp: allowsPlainHttp(deps),
    instanceNames: instanceNamesOf(deps),
  });
}

const save = (
  deps: Deps,
  uid: string,
  { clientName, redirectUris, scopes, backchannelLogout }: DynamicRegistration,
  otherChanges: readonly string[],
) =>
  saveUnregistered(deps, {
    uid,
    name: shownName(clientName),
    redirectUris,
    scopes,
    backchannelLogout,
    authentication: SECRET_AUTHENTICATION,
    by: "registration",
    userId: null,
    otherChanges,
  });
