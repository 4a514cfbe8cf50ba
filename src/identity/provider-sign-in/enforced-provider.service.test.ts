import { POST as postPassword } from "@app/users/password/route.ts";
import { describe, expect, it } from "vitest";
import { contentOf, listMessages } from "@/instance/mail/service.ts";
import { readSettings } from "@/instance/settings/service.ts";
import { createPersonalToken } from "@/oauth/personal-access-tokens/service.ts";
import { encoded, formPost, PASSWORD, signedInUser } from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { signInAt, useProviders } from "@/testing/identity-provider.ts";
import { openProviderSignIn } from "@/testing/provider-sign-in.ts";
import { addedPasskey, postForm, sessionIn } from "@/testing/second-factor.ts";
import { linkedAccountsOf, unlinkIdentity } from "../linked-identities/service.ts";
import { sessionOf } from "../sessions/service.ts";
import { requestEmailChange, storePendingEmail } from "../users/email-change.ts";
import { confirmEmailByLink, resendConfirmationLink } from "../users/email-confirmation.ts";
import { tryPassword } from "../users/password-attempt.ts";

const { deps, provider, profile, use, locationOf, userOf, row, nameAtProvider } = await openProviderSignIn();

describe("a provider that is enforced for a domain", () => {
  const enforce = () => use({ enforcedDomains: ["example.com"], linksByEmail: true });

  it(
    conformance(
      "SP-08",
      "a password sign-in with an e-mail address in an enforced domain is refused, and the message names the provider, even if the user does not exist",
    ),
    async () => {
      const { user } = await signedInUser(deps, nameAtProvider());
      enforce();
      const refused = "/users/sign_in?problem=enforced&provider=corp&return_to=%2F";
      for (const fields of [
        { login: nameAtProvider(), password: PASSWORD },
        { login: user.email, password: PASSWORD },
        { login: user.email.toUpperCase(), password: "wrong horse battery" },
        { login: `nobody-${nameAtProvider()}@example.com`, password: PASSWORD },
      ]) {
        const response = await postForm(fields);
        expect([locationOf(response), sessionIn(response)]).toEqual([refused, ""]);
      }
      expect(locationOf(await postForm({ login: nameAtProvider(), password: "wrong horse" }))).toContain(
        "problem=wrong",
      );
      provider.behavior.user = { ...profile(), email: user.email };
      expect((await userOf(await signInAt(provider)))?.id).toBe(user.id);
      const [account] = await linkedAccountsOf(deps, user.id);
      expect(await unlinkIdentity(deps, user, account?.id ?? 0)).toBe("only_way");
    },
  );

  it(
    conformance(
      "SP-08",
      "a user in an enforced domain cannot use passkeys, Git passwords, password resets, registration or other providers, but can use personal access tokens",
    ),
    async () => {
      const { user, cookie } = await signedInUser(deps, nameAtProvider());
      const token = await createPersonalToken(deps, user, { name: "t", scopes: ["api"], expiresAt: null });
      if ("problems" in token) throw new Error("The token was not created.");
      const authenticator = await addedPasskey(deps, user);
      enforce();
      const { requestOptions } = await import("../two-factor/passkey.ts");
      const credential = authenticator.get(await requestOptions(deps, "sign_in", null));
      expect(locationOf(await postForm({ intent: "passkey", credential }))).toContain(
        "problem=enforced&provider=corp",
      );
      const attempt = {
        login: nameAtProvider(),
        password: PASSWORD,
        ipAddress: "::1",
        way: "grant",
      } as const;
      expect(await tryPassword(deps, await readSettings(deps), attempt)).toEqual({ refused: "wrong" });
      const reset = await postPassword(formPost("/users/password", encoded({ email: user.email })));
      expect(locationOf(reset)).toContain("problem=enforced&provider=corp");
      expect(
        (await listMessages(deps)).filter(
          ({ kind, recipient }) => kind === "password_reset" && recipient !== "",
        ),
      ).toEqual([]);
      const session = await sessionOf(deps, cookie);
      if (session === null) throw new Error("The session is not live.");
      const change = { email: "me@private.example", currentPassword: PASSWORD, ipAddress: "::1" };
      expect(await requestEmailChange(deps, session, change)).toHaveProperty("email");
      useProviders(deps, [
        provider.settings({ enforcedDomains: ["example.com"], linksByEmail: true }),
        provider.settings({ name: "other", linksByEmail: true }),
      ]);
      provider.behavior.user = { ...profile(), email: user.email };
      expect(locationOf(await signInAt(provider, { name: "other" }))).toContain("problem=other_provider");
      provider.behavior.user = { ...profile(), email: `new-${nameAtProvider()}@example.com` };
      expect(locationOf(await signInAt(provider, { name: "other" }))).toContain("problem=other_provider");
      expect(await deps.db.personalAccessToken.count({ where: { userId: user.id, revokedAt: null } })).toBe(
        1,
      );
    },
  );

  it(
    conformance(
      "SP-08",
      "only an administrator can change the e-mail address of a user in an enforced domain",
    ),
    async () => {
      const { user } = await signedInUser(deps, nameAtProvider());
      const { user: admin } = await signedInUser(deps, `${nameAtProvider()}b`);
      const email = `${nameAtProvider()}@private.example`;
      const pending = async () => (await row(nameAtProvider())).pendingEmail;
      expect(await storePendingEmail(deps, user, email)).toBeNull();
      const [message] = await listMessages(deps);
      const url = (message && contentOf(deps, message)?.action?.url) ?? "";
      const token = new URL(url).searchParams.get("confirmation_token") ?? "";
      enforce();
      expect(await confirmEmailByLink(deps, token)).toBe("invalid");
      expect(await resendConfirmationLink(deps, user)).toBe("off");
      expect(await storePendingEmail(deps, user, `other-${email}`)).toContain("administrator");
      expect(await pending()).toBe(email);
      await deps.db.mailMessage.deleteMany();
      expect(await storePendingEmail(deps, user, `other-${email}`, admin)).toBeNull();
      expect(await pending()).toBe(`other-${email}`);
      expect((await listMessages(deps)).map(({ kind }) => kind)).not.toContain("email_confirmation");
      use();
      expect(await confirmEmailByLink(deps, token)).toBe("invalid");
    },
  );

  it(
    conformance(
      "SP-08",
      "an enforced provider does not prevent administrators from signing in with a password",
    ),
    async () => {
      const { user } = await signedInUser(deps, nameAtProvider());
      await deps.db.user.update({ where: { id: user.id }, data: { admin: true } });
      enforce();
      expect((await userOf(await postForm({ login: user.email, password: PASSWORD })))?.id).toBe(user.id);
      await postPassword(formPost("/users/password", encoded({ email: user.email })));
      expect((await listMessages(deps)).map(({ recipient }) => recipient)).toContain(user.email);
    },
  );
});
