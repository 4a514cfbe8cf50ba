import { z } from "zod";
import { parseScope, type Scope } from "@/access/scopes";
import { enqueueGrantUse } from "@/instance/last-use/service";
import { refund, reserve, type Subject } from "@/instance/rate-limits/counter";
import type { Settings } from "@/instance/settings/catalog";
import { limitOf } from "@/instance/settings/service";
import { countEvent } from "@/instance/statistics/service";
import type { Deps } from "@/kernel/deps/deps";
import { botOf } from "@/oauth/application-bots/service";
import type { Application } from "@/oauth/applications/rules";
import { accessTokensOf } from "@/oauth/applications/token-options";
import { resolveResource } from "@/oauth/resource-servers/service";
import * as tokens from "@/oauth/tokens/service";
import { assertionReused } from "../client-assertion";
import { invalidTarget, OAuthError } from "../errors";
import { rateLimited } from "../refusals";
import { tokenResponse } from "../token-response";
import { defineGrant } from "./grant";

const text = z.string().max(4096);

const fields = z.object({ scope: text.optional(), resource: text.optional() });

/**
 * The client credentials grant (RFC 6749 §4.4): a confidential application gets an access token for its bot user, and no
 * refresh token.
 */
export const clientCredentials = defineGrant({
  type: "client_credentials",
  claimsAssertion: true,
  fields,
  exchange: async ({ deps, settings, client, assertion, caller, dpopJkt }, form) => {
    const bot = await permittedBot(deps, client);
    const scopes = grantedScopes(client, form.scope);
    const resource = await resourceOf(deps, form.resource);
    const reserved = await reserveToken(deps, settings, client);
    const grant: tokens.Grant = {
      type: "client_credentials",
      applicationId: client.id,
      userId: bot.id,
      scopes,
      resource,
      dpopJkt,
      accessToken: accessTokensOf(client),
    };
    const issued = await tokens.issueAlone(deps, settings, grant, assertion?.usedJwt ?? null);
    if (issued === null) {
      // A replayed assertion does not count as a token request of the client.
      await refund(deps.db, reserved, deps.clock());
      throw assertionReused();
    }
    assertion?.claimed();
    const { familyId } = issued;
    enqueueGrantUse(deps, { familyId, applicationId: client.id, lastUsedAt: null }, () => caller);
    countEvent(deps, "token.issued", client.uid);
    return tokenResponse(issued);
  },
});

/** Returns the bot of the client. @throws OAuthError if the client may not use the grant. */
async function permittedBot(deps: Deps, client: Application) {
  const isOn = client.confidential && machineScopesOf(client).length > 0;
  const bot = isOn ? await botOf(deps, client.id) : null;
  if (bot?.isActive) return bot;
  throw new OAuthError(
    "unauthorized_client",
    bot === null
      ? "This application may not use the client credentials grant. The owner of the application can allow the grant."
      : "An administrator of this server has blocked the bot user of this application.",
    bot === null ? "client_credentials_off" : "client_credentials_bot_blocked",
  );
}

/** Returns those scopes of the client credentials grant that the application still has. */
const machineScopesOf = ({ clientCredentialsScopes, scopes }: Application): readonly Scope[] =>
  clientCredentialsScopes.filter((scope) => scopes.includes(scope));

/**
 * Returns the requested scopes, or all scopes of the client credentials grant if the request has no scope
 * (RFC 6749 §3.3).
 */
function grantedScopes(client: Application, requested: string | undefined): readonly Scope[] {
  const permitted = machineScopesOf(client);
  const words = requested === undefined ? [] : parseScope(requested);
  if (words?.length === 0) return permitted;
  if (words?.every((word) => permitted.some((scope) => scope === word)))
    return permitted.filter((scope) => words.includes(scope));
  throw new OAuthError(
    "invalid_scope",
    "A requested scope is unknown, or is not a scope of the client credentials grant of this application.",
    "scope_not_allowed",
  );
}

/** Returns the protected resource of the request (RFC 8707 §2.2); null if the request names no resource. */
async function resourceOf(deps: Deps, requested: string | undefined): Promise<string | null> {
  const resource = requested === undefined ? null : await resolveResource(deps, requested);
  if (requested !== undefined && resource === null) throw invalidTarget("client_credentials_resource");
  return resource;
}

/**
 * Counts a token request of a client, and throws an OAuthError if the limit is exceeded. Without a limit, a
 * client that requests a new token for each API request would fill the table of tokens.
 * @returns the counted subjects.
 */
async function reserveToken(
  deps: Deps,
  settings: Settings,
  client: Application,
): Promise<readonly Subject[]> {
  const subjects = [limitOf(settings, "client_credentials_per_client", client.uid)];
  const seconds = await reserve(deps.db, subjects, deps.clock());
  if (seconds === null) return subjects;
  // A refused request does not count, because it may contain a replayed assertion.
  await refund(deps.db, subjects, deps.clock());
  throw rateLimited(seconds, "client_credentials_limited");
}
