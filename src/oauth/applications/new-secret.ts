import { open, seal } from "@/kernel/crypto/seal";
import { digest, endingOf, newToken } from "@/kernel/crypto/token";
import type { Deps } from "@/kernel/deps/deps";
import type { Application } from "./rules";
import type { NewSecret } from "./store";

type Client = Pick<Application, "uid" | "authMethod">;

/**
 * Returns a new client secret in plain text and in its stored form. The stored form is a digest. For an application that
 * signs with its secret, the secret is also stored encrypted (docs/decisions/0090).
 */
export function newSecret(deps: Deps, client: Client): Readonly<{ plain: string; stored: NewSecret }> {
  const plain = newToken(deps.randomBytes, "clientSecret");
  const sealed =
    client.authMethod === "client_secret_jwt"
      ? seal(deps.randomBytes, deps.keys.sealing, purposeOf(client), plain)
      : null;
  return { plain, stored: { digest: digest(plain), ending: endingOf(plain), sealed } };
}

/** Returns the plain text of an encrypted client secret; null when the secret cannot be decrypted. */
export const openSecret = ({ keys }: Pick<Deps, "keys">, client: Pick<Client, "uid">, sealed: string) =>
  open(keys.sealing, purposeOf(client), sealed);

const purposeOf = ({ uid }: Pick<Client, "uid">): string => `client_secret ${uid}`;
