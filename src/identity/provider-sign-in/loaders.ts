import type { Deps } from "@/kernel/deps/deps";
import { linkedAccountsOf, type OwnLinkedAccount } from "../linked-identities/service";
import { enabledProviders } from "../providers/service";
import { type Session, sessionCsrfToken } from "../sessions/service";
import { LINK_ACCOUNT } from "./link-page";

type ProviderLabel = Readonly<{ name: string; label: string }>;

/** The linked accounts of the signed-in user, and the providers at which the user can link another account. */
export type LinkedAccounts = Readonly<{
  accounts: readonly (Omit<OwnLinkedAccount, "usable"> & Readonly<{ label: string; usable: boolean }>)[];
  linkable: readonly ProviderLabel[];
  /** The CSRF token of the buttons that link an account. */
  csrfToken: string;
}>;

export async function loadLinkedAccounts(deps: Deps, session: Session): Promise<LinkedAccounts> {
  const accounts = await linkedAccountsOf(deps, session.user.id);
  const used = new Set(accounts.flatMap(({ usable, provider }) => (usable === null ? [] : [provider])));
  const providers = await enabledProviders(deps);
  return {
    accounts: accounts.map(({ usable, ...account }) => ({
      ...account,
      label: usable?.label ?? account.provider,
      usable: usable !== null,
    })),
    linkable: providers.filter(({ name }) => !used.has(name)).map(({ name, label }) => ({ name, label })),
    csrfToken: sessionCsrfToken(deps, session, LINK_ACCOUNT),
  };
}
