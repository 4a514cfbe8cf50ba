import { z } from "zod";

/**
 * A client metadata document (draft-ietf-oauth-client-id-metadata-document), with the members of RFC 7591 §2
 * that this server uses. Other members of the metadata document are ignored.
 */
const clientDocument = z.object({
  client_id: z.string(),
  client_name: z.string().optional().catch(undefined),
  redirect_uris: z.array(z.string()),
  scope: z.string().optional(),
  backchannel_logout_uri: z.string().optional().catch(undefined),
  backchannel_logout_session_required: z.boolean().optional().catch(undefined),
  token_endpoint_auth_method: z.string().optional(),
  jwks: z.unknown().optional(),
  jwks_uri: z.string().optional(),
});

export type ClientDocument = z.infer<typeof clientDocument> &
  Readonly<{
    /** Whether the metadata document has a member such as `client_secret`, which would be public. */
    hasSecret: boolean;
  }>;

/**
 * Parses the text of a client metadata document. Returns null if the text is not a valid client metadata
 * document.
 */
export function readClientDocument(body: Uint8Array): ClientDocument | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(body);
    const json: unknown = JSON.parse(text);
    const document = clientDocument.parse(json);
    const members = Object.keys(json ?? {});
    return { ...document, hasSecret: members.some((name) => name.startsWith("client_secret")) };
  } catch {
    return null;
  }
}
