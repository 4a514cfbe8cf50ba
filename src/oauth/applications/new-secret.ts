import type { SealedColumn } from "@/instance/secret-rotation/sealed-column";
import { seal } from "@/kernel/crypto/seal";
import { openValue } from "@/kernel/crypto/sealed-value";
import { digest, endingOf, newToken } from "@/kernel/crypto/token";
import type { Deps } from "@/kernel/deps/deps";
import type { Application } from "./rules";
import * as secretStore from "./secret-store";

type Client = Pick<Application, "uid" | "authMethod">;

/**
 * Returns a new client secret in plain text and in its stored form. The stored form contains the digest of
 * the secret. For an application that signs with its secret, the stored form also contains the encrypted
 * secret (docs/decisions/0090).
 */
export function newSecret(
  deps: Deps,
  client: Client,
): Readonly<{ plain: string; stored: secretStore.NewSecret }> {
  const plain = newToken(deps.randomBytes, "clientSecret");
  const sealed =
    client.authMethod === "client_secret_jwt"
      ? seal(deps.randomBytes, deps.keys.sealing, purposeOf(client.uid), plain)
      : null;
  return { plain, stored: { digest: digest(plain), ending: endingOf(plain), sealed } };
}

/** Returns the plain text of an encrypted client secret; null when the secret cannot be decrypted. */
export const openSecret = ({ keys }: Pick<Deps, "keys">, client: Pick<Client, "uid">, sealed: string) =>
  openValue(keys, purposeOf(client.uid), sealed);

const purposeOf = (uid: string): string => `client_secret ${uid}`;

/** The encrypted secrets of the applications that sign with their secret. */
export const sealedClientSecrets: SealedColumn = {
  column: "ApplicationSecret.sealed",
  list: secretStore.listSealed,
  purpose: purposeOf,
  replace: secretStore.replaceSealed,
};
