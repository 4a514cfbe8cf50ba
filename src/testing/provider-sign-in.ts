import { afterAll, beforeEach } from "vitest";
import { sessionOf } from "@/identity/sessions/service.ts";
import type { ConfiguredProvider } from "@/kernel/config/identity-providers.ts";
import { ORIGIN } from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { openProvider, useProviders } from "@/testing/identity-provider.ts";
import { sessionIn } from "@/testing/second-factor.ts";

/**
 * Opens an instance with the sign-in provider `corp`. Each test signs in as a new user of the provider
 * `corp`.
 * @returns the provider, and functions that read the results of a sign-in.
 */
export async function openProviderSignIn() {
  const deps = await openTestDeps();
  const mail = { url: "smtp://127.0.0.1:1", from: { name: "Gatehouse", address: "id@example.com" } };
  Object.assign(deps, { config: { ...deps.config, mail } });
  const provider = await openProvider(() => deps.clock());
  afterAll(() => provider.close());

  let users = 0;
  /** The name of the user at the provider. Each test uses a different name. */
  let name: string;

  beforeEach(async () => {
    provider.reset();
    deps.advance(600);
    users += 1;
    name = `zoe${users}`;
    provider.behavior.user = profile();
    use();
    await deps.db.mailMessage.deleteMany();
  });

  const profile = () => ({
    sub: `sub ${name}`,
    email: `${name}@corp.example`,
    email_verified: true,
    name: `Zoe ${users}`,
    preferred_username: name,
  });
  const use = (changes: Partial<ConfiguredProvider> = {}) => useProviders(deps, [provider.settings(changes)]);
  const locationOf = (response: Response): string =>
    (response.headers.get("location") ?? "").replace(ORIGIN, "");
  const userOf = async (response: Response) => (await sessionOf(deps, sessionIn(response)))?.user ?? null;
  const eventsOf = async (userId: number) =>
    (await deps.db.auditEvent.findMany({ where: { userId }, orderBy: { id: "asc" } })).map(
      (event) => event.name,
    );
  const row = (username: string) => deps.db.user.findUniqueOrThrow({ where: { usernameLower: username } });
  return {
    deps,
    provider,
    profile,
    use,
    locationOf,
    userOf,
    eventsOf,
    row,
    nameAtProvider: () => name,
    userNumber: () => users,
  };
}
