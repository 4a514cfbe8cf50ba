import type { Principal } from "@/access/principal";
import type { PersonalToken } from "@/features/personal-access-tokens/rules";
import { personalTokenById } from "@/features/personal-access-tokens/service";
import type { Deps } from "@/platform/deps";
import { unauthorized } from "./errors";

/**
 * The personal access token that the request came with.
 * @throws ApiError 401 when it came with another kind of token.
 */
export async function ownPersonalToken(deps: Deps, { token }: Principal): Promise<PersonalToken> {
  const own = token.kind === "personal" ? await personalTokenById(deps, token.id) : null;
  if (own === null) throw unauthorized();
  return own;
}
