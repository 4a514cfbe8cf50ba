import { z } from "zod";

/**
 * The metadata of a client that registers itself (RFC 7591 §2), with the members that this server uses. Other
 * members of the metadata, such as `software_statement`, are ignored.
 */
export const clientMetadata = z.object({
  /** The client that an update names (RFC 7592 §2.2); ignored in a registration. */
  client_id: z.unknown().optional(),
  redirect_uris: z.array(z.string()).min(1).max(50),
  client_name: z.string().optional().catch(undefined),
  scope: z.string().optional().catch(undefined),
  backchannel_logout_uri: z.string().optional(),
  backchannel_logout_session_required: z.boolean().optional().catch(undefined),
  application_type: z.enum(["web", "native"]).optional().catch(undefined),
});

export type ClientMetadata = z.infer<typeof clientMetadata>;
