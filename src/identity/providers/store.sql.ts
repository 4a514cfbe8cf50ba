import { flag, text } from "@/kernel/db/column-types";
import type { Eventually, Prepared } from "@/kernel/db/prepared";
import { statement } from "@/kernel/db/statement";

/**
 * The maximum number of stored external identity providers. The maximum is so small that each sign-in can
 * read all providers.
 */
export const PROVIDERS_MAX = 50;

const PROVIDERS = statement({
  name: "identity_providers",
  isCached: true,
  parameters: {},
  columns: {
    name: [`"name"`, text],
    label: [`"label"`, text],
    kind: [`"kind"`, text],
    issuer: [`"issuer"`, text],
    clientId: [`"clientId"`, text],
    enabled: [`"enabled"`, flag],
    createsAccounts: [`"createsAccounts"`, flag],
    linksByEmail: [`"linksByEmail"`, flag],
    trustsEmails: [`"trustsEmails"`, flag],
    allowedDomains: [`"allowedDomains"`, text],
    enforcedDomains: [`"enforcedDomains"`, text],
    groupsClaim: [`"groupsClaim"`, text],
    groupRules: [`"groupRules"`, text],
  },
  sql: (columns) => `SELECT ${columns} FROM "IdentityProvider" ORDER BY "id" LIMIT ${PROVIDERS_MAX}`,
});

export type ProviderRow = Readonly<
  Record<
    | "name"
    | "label"
    | "kind"
    | "issuer"
    | "clientId"
    | "allowedDomains"
    | "enforcedDomains"
    | "groupsClaim"
    | "groupRules",
    string
  > &
    Record<"enabled" | "createsAccounts" | "linksByEmail" | "trustsEmails", boolean>
>;

/** Returns all stored external identity providers, without their client secrets. */
export const readAll = (prepared: Prepared): Eventually<readonly ProviderRow[]> =>
  prepared.all(PROVIDERS, {});
