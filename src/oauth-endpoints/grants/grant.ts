import type { z } from "zod";
import type { Settings } from "@/instance/settings/catalog";
import type { Deps } from "@/kernel/deps/deps";
import type { Caller } from "@/kernel/http/caller";
import type { Application } from "@/oauth/applications/rules";
import type { PendingAssertion } from "../client-assertion";
import { type Form, refusalFor } from "../form";

/**
 * The context of a token request: the authenticated client, the IP address and the user agent of the caller.
 */
export type Exchange<Client> = Readonly<{
  deps: Deps;
  settings: Settings;
  client: Client;
  /**
   * The client assertion of the request; null for other credentials. For a grant with `claimsAssertion`, the
   * assertion is not marked as used yet.
   */
  assertion: PendingAssertion | null;
  caller: Caller;
  /** The thumbprint of the key of the DPoP proof of the request; null for a request without a proof. */
  dpopJkt: string | null;
}>;

type Terms = Readonly<{
  type: string;
  /**
   * Checks whether the instance supports the grant type, before client authentication.
   * @throws OAuthError `unsupported_grant_type` while the grant type is disabled for the instance.
   */
  requireEnabled?: ((deps: Deps) => Promise<void>) | undefined;
}>;

export type Grant = Terms &
  (
    | Readonly<{
        client: "required";
        /** Whether the function `exchange` marks the client assertion as used, in the write that stores the grant. */
        claimsAssertion?: boolean | undefined;
        exchange: (call: Exchange<Application>, parameters: Form) => Promise<object>;
      }>
    | Readonly<{
        /** With "optional", the grant type also accepts requests without client credentials. */
        client: "optional";
        claimsAssertion?: undefined;
        exchange: (call: Exchange<Application | null>, parameters: Form) => Promise<object>;
      }>
  );

type Definition<Fields extends z.ZodType, Client> = Terms &
  Readonly<{
    claimsAssertion?: boolean;
    fields: Fields;
    exchange: (call: Exchange<Client>, form: z.infer<Fields>) => Promise<object>;
  }>;

/**
 * Defines a grant type that requires client authentication. The handler of the grant type receives the parsed
 * fields; requests with invalid fields are rejected before the handler runs.
 */
export const defineGrant = <Fields extends z.ZodType>(grant: Definition<Fields, Application>): Grant => ({
  type: grant.type,
  client: "required",
  requireEnabled: grant.requireEnabled,
  claimsAssertion: grant.claimsAssertion,
  exchange: async (call, parameters) => grant.exchange(call, parsed(grant.fields, parameters)),
});

/** Defines a grant type that also accepts requests without client credentials. */
export const defineClientlessGrant = <Fields extends z.ZodType>(
  grant: Definition<Fields, Application | null>,
): Grant => ({
  type: grant.type,
  client: "optional",
  requireEnabled: grant.requireEnabled,
  exchange: async (call, parameters) => grant.exchange(call, parsed(grant.fields, parameters)),
});

function parsed<Fields extends z.ZodType>(fields: Fields, parameters: Form): z.infer<Fields> {
  const form = fields.safeParse(Object.fromEntries(parameters));
  if (!form.success) throw refusalFor(form.error, parameters);
  return form.data;
}
