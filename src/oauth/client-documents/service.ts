import { instanceNamesOf } from "@/identity/users/new-password";
import { reserveInOrder } from "@/instance/rate-limits/counter";
import { limitOf, readSettings } from "@/instance/settings/service";
import { isUniqueViolation } from "@/kernel/db/errors";
import type { Deps } from "@/kernel/deps/deps";
import { isTemporaryFailure, isTemporaryStatus, OutboundRequestError } from "@/kernel/http/outbound-error";
import { sendOutboundRequest } from "@/kernel/http/outbound-request";
import { processWide } from "@/kernel/process/process-wide";
import { admitsClientUrl, isClientUrl, readClientUrl } from "../applications/client-url";
import { isBlocked, type ShownApplication } from "../applications/rules";
import * as applications from "../applications/service";
import { saveUnregistered, withAdmittedScopes } from "../applications/unregistered";
import {
  type DocumentState,
  documentState,
  FETCH_LIMITS,
  freshSeconds,
  isJson,
  validateDocument,
} from "./rules";
import { readClientDocument } from "./schema";
import * as store from "./store";

/**
 * The party for which a metadata document is requested: a signed-in user, or the network from which a request
 * without a user was sent.
 */
export type Requester = Readonly<{ userId: number } | { network: string }>;

/** The client that sent a request, or the reason why the client is unknown. */
export type ClientLookup =
  | { readonly application: ShownApplication }
  | {
      readonly refused:
        | "client_unknown"
        /** The metadata document is requested only for a signed-in user. */
        | "sign_in"
        /** The metadata document cannot be read, or is refused. */
        | "client_document"
        /**
         * The stored metadata document is too old, and the document cannot be requested now, for example because
         * the site does not respond.
         */
        | "client_document_unavailable";
    };

/**
 * Returns the client with this `client_id` for an authorization request. A `client_id` that is a URL
 * identifies an unregistered client. The server requests the metadata document of the client unless the
 * server has a recent copy. An unregistered client has the scopes that the settings of the instance allow.
 * @param requester the party for which the metadata document is requested; null to use only a stored metadata
 * document.
 */
export async function findClient(
  deps: Deps,
  uid: string,
  requester: Requester | null,
): Promise<ClientLookup> {
  const lookup = isClientUrl(uid)
    ? await clientOfDocument(deps, uid, requester)
    : await registeredClient(deps, uid);
  if ("refused" in lookup) return lookup;
  const application = await withAdmittedScopes(deps, lookup.application);
  return application.scopes.length === 0 ? { refused: "client_unknown" } : { application };
}

async function registeredClient(deps: Deps, uid: string): Promise<ClientLookup> {
  const application = await applications.findByUid(deps, uid);
  return application === null ? { refused: "client_unknown" } : { application };
}

async function clientOfDocument(deps: Deps, uid: string, requester: Requester | null): Promise<ClientLookup> {
  const { baseUrl } = deps.config;
  const url = readClientUrl(uid, baseUrl);
  if (url === null || !admitsClientUrl(uid, await readSettings(deps), baseUrl))
    return { refused: "client_unknown" };
  const stored = await storedClient(deps, uid);
  if (stored !== null && isBlocked(stored.application)) return stored;
  if (stored?.state === "fresh" || (stored?.state === "stale" && requester === null)) return stored;
  if (requester === null) return { refused: "sign_in" };
  const outcome = await readDocumentOnce(deps, url, requester);
  if ("application" in outcome) return outcome;
  deps.log.info({ event: "client_document.refused", client_id: uid, reason: outcome.reason });
  // Another process may have stored the document since the first query.
  const current = outcome.isTemporary ? await storedClient(deps, uid) : null;
  if (current?.state === "outdated") return { refused: "client_document_unavailable" };
  return current === null || current.state === "removed" ? { refused: "client_document" } : current;
}

type StoredClient = Readonly<{
  application: ShownApplication;
  /** The name in the stored metadata document; null for a document without a usable name. */
  clientName: string | null;
  state: DocumentState | "removed";
}>;

/**
 * Returns the stored client with this `client_id`, and the state of its metadata document; null for an unknown
 * client. The state is `removed` after the site has withdrawn the document.
 */
async function storedClient(deps: Deps, uid: string): Promise<StoredClient | null> {
  const application = await applications.findByUid(deps, uid);
  if (application === null) return null;
  const document = await store.findDocument(deps.db, application.id);
  const state = document === null ? "removed" : documentState(document, deps.clock());
  return { application, clientName: document?.clientName ?? null, state };
}

type Failure = Readonly<{
  reason: string;
  /** Whether the server may use the stored copy of the metadata document until the next request. */
  isTemporary: boolean;
}>;

type Outcome = { readonly application: ShownApplication } | Failure;

/**
 * The requests for metadata documents in progress, keyed by URL. Without this map, the limit of one request per
 * minute would refuse a client that several users open simultaneously.
 */
const pendingReads = processWide<Map<string, Promise<Outcome>>>("client-document-reads", () => new Map());

/**
 * Requests the metadata document of a client, unless a rate limit is exhausted. Simultaneous calls for the same
 * URL share one request. If the document is removed or refused, the function removes the stored copy.
 */
function readDocumentOnce(deps: Deps, url: URL, requester: Requester): Promise<Outcome> {
  const pending = pendingReads();
  const read = async (): Promise<Outcome> => {
    const outcome = (await limited(deps, url, requester)) ?? (await readDocument(deps, url, requester));
    if ("reason" in outcome && !outcome.isTemporary) await store.removeDocument(deps.db, url.href);
    return outcome;
  };
  const outcome = pending.get(url.href) ?? read().finally(() => pending.delete(url.href));
  pending.set(url.href, outcome);
  return outcome;
}

/** The failure of a request for a metadata document that is removed or refused. */
const refusal = (reason: string): Failure => ({ reason, isTemporary: false });

/**
 * Counts a request for a metadata document. Returns a failure if a rate limit is exceeded; null if the server
 * may request the metadata document.
 */
async function limited(deps: Deps, url: URL, requester: Requester): Promise<Failure | null> {
  const settings = await readSettings(deps);
  const source = "userId" in requester ? `user ${requester.userId}` : requester.network;
  const subjects = [
    limitOf(settings, "client_document_per_url", url.href),
    limitOf(settings, "client_document_per_source", source),
  ];
  const seconds = await reserveInOrder(deps.db, subjects, deps.clock());
  return seconds === null ? null : { reason: "limited", isTemporary: true };
}

/** Requests the metadata document of a client, and stores the client that the document describes. */
async function readDocument(deps: Deps, url: URL, requester: Requester): Promise<Outcome> {
  const response = await requestDocument(deps, url);
  if ("reason" in response) return response;
  const document = readClientDocument(response.body);
  if (document === null) return refusal("is not a client metadata document");
  const validation = validateDocument(document, url, {
    instanceNames: instanceNamesOf(deps),
    plainHttp: applications.allowsPlainHttp(deps),
  });
  if ("problem" in validation) return refusal(validation.problem);
  const { clientName, ...values } = validation.client;
  const fetchedAt = deps.clock();
  const freshUntil = new Date(fetchedAt.getTime() + freshSeconds(response.headers, fetchedAt) * 1000);
  const userId = "userId" in requester ? requester.userId : null;
  const client = { ...values, uid: url.href, name: url.host, by: "document" as const, userId };
  try {
    const application = await deps.transaction(async (within) => {
      const before = await storedClient(within, url.href);
      const otherChanges = before === null || before.clientName === clientName ? [] : ["client_name"];
      const saved = await saveUnregistered(within, { ...client, otherChanges });
      await store.putDocument(within.db, saved.id, { clientName, fetchedAt, freshUntil });
      return saved;
    });
    return { application };
  } catch (cause) {
    if (!isUniqueViolation(cause)) throw cause;
    const application = await applications.findByUid(deps, url.href);
    return application === null ? { reason: "was removed", isTemporary: true } : { application };
  }
}

async function requestDocument(
  deps: Deps,
  url: URL,
): Promise<Readonly<{ body: Uint8Array; headers: Headers }> | Failure> {
  const loopback = applications.allowsPlainHttp(deps);
  try {
    const response = await sendOutboundRequest(url, {
      method: "GET",
      ...FETCH_LIMITS,
      http: loopback ? "loopback" : "never",
      allow: { loopback },
      headers: { accept: "application/json" },
    });
    // If redirects to other origins were accepted, anybody could use an open redirect of a web site to act as
    // a client of that site.
    if (response.url.origin !== url.origin) return refusal("is on another origin");
    const { status } = response;
    if (status !== 200) return { reason: `has the status ${status}`, isTemporary: isTemporaryStatus(status) };
    return isJson(response.headers) ? response : refusal("does not have a media type of JSON");
  } catch (cause) {
    if (!(cause instanceof OutboundRequestError)) throw cause;
    const { failure } = cause;
    return { reason: failure, isTemporary: isTemporaryFailure(failure) };
  }
}

/** The details of an unregistered client, for the pages on which users allow access. */
export type UnregisteredDetails = Readonly<{
  /** The URL of the metadata document; null for a dynamically registered client. */
  documentUrl: string | null;
  /** The name in the metadata of the client, which is not verified. */
  clientName: string | null;
  /** Whether the client must authenticate with a key. */
  hasKey: boolean;
}>;

/** Returns the details of an unregistered client; null for a registered client. */
export async function unregisteredDetails(
  deps: Deps,
  application: Pick<ShownApplication, "id" | "uid" | "registered"> & Readonly<{ authMethod: string | null }>,
): Promise<UnregisteredDetails | null> {
  const { id, uid, registered, authMethod } = application;
  if (registered) return null;
  const document = await store.findDocument(deps.db, id);
  const clientName = document?.clientName ?? null;
  return { documentUrl: document && uid, clientName, hasKey: authMethod === "private_key_jwt" };
}
