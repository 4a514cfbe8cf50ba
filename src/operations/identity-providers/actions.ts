"use server";

import { redirect } from "next/navigation";
import type { User } from "@/access/principal";
import { removeProvider } from "@/identity/linked-identities/service";
import { reachabilityProblem } from "@/identity/provider-sign-in/client";
import { groupRulesOf, type Provider } from "@/identity/providers/rules";
import { createProvider, findProvider, updateProvider } from "@/identity/providers/service";
import { adminAction, adminFormAction } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import { setFlash } from "@/ui/appearance/flash";
import { takenPaths } from "@/workspace/groups/service";
import { newProviderPage, PROVIDERS, providerPage } from "./loaders";
import { type ProviderDraft, type ProviderProblems, readProviderForm, settingsIn } from "./schema";

/** The submitted values of the provider form, and its field errors. */
export type ProviderFormState = Readonly<{ draft: ProviderDraft; problems: ProviderProblems }>;

const pageOf = (form: FormData): string => providerPage(readProviderForm(form).draft.name);

export const addProvider = adminFormAction<ProviderFormState>(
  (form) => newProviderPage(readProviderForm(form).draft.kind),
  async ({ user }, form) => {
    const { draft, clientSecret } = readProviderForm(form);
    const checked = await checkedSettings(user, draft);
    if ("problems" in checked) return { draft, problems: checked.problems };
    if (clientSecret === "") return { draft, problems: { clientSecret: SECRET_MISSING } };
    const refused = await createProvider(systemDeps(), user, checked, clientSecret);
    if (refused === "taken")
      return { draft, problems: { name: "Another provider has this name. Choose another name." } };
    if (refused === "too_many")
      return {
        draft,
        problems: { name: "This server has the maximum number of providers. Delete a provider first." },
      };
    await setFlash(
      "The provider is saved. Test the sign-in in a private window before you rely on the provider.",
    );
    redirect(providerPage(checked.name));
  },
);

const SECRET_MISSING = "Enter the client secret that the provider shows.";

export const saveProvider = adminFormAction<ProviderFormState>(pageOf, async ({ user }, form) => {
  const { draft, clientSecret } = readProviderForm(form);
  const before = await findProvider(systemDeps(), draft.name);
  if (before === null || before.fromEnvironment) return goneOrReadOnly();
  const checked = await checkedSettings(user, { ...draft, kind: before.kind });
  if ("problems" in checked) return { draft, problems: checked.problems };
  if (clientSecret === "" && checked.issuer !== before.issuer)
    return {
      draft,
      problems: { clientSecret: "Enter the client secret again, because you changed the issuer." },
    };
  const secret = clientSecret === "" ? null : clientSecret;
  if (!(await updateProvider(systemDeps(), user, checked, secret))) return goneOrReadOnly();
  await setFlash("The provider is saved.");
  redirect(providerPage(checked.name));
});

async function goneOrReadOnly(): Promise<never> {
  await setFlash("This provider no longer exists or cannot be changed.");
  redirect(PROVIDERS);
}

/**
 * Returns the provider settings that the submitted form contains, or the field errors of the form. The groups
 * that the group rules name must exist. If the provider is enabled, its issuer must respond.
 */
async function checkedSettings(
  user: User,
  draft: ProviderDraft,
): Promise<Omit<Provider, "fromEnvironment"> | Readonly<{ problems: ProviderProblems }>> {
  const deps = systemDeps();
  const settings = settingsIn(draft, deps.config.baseUrl.protocol === "http:");
  if ("problems" in settings) return settings;
  const paths = groupRulesOf(settings).map(({ group }) => group);
  const existing = await takenPaths(deps, paths, null);
  const unknown = paths.find((path) => !existing.has(path.toLowerCase()));
  if (unknown !== undefined) return { problems: { groupRules: `There is no group ${unknown}.` } };
  if (!settings.enabled) return settings;
  const problem = await reachabilityProblem({ ...settings, fromEnvironment: false });
  if (problem === null) return settings;
  deps.log.warn({ event: "identity_provider.unreachable", reason: problem, user_id: user.id });
  return {
    problems: {
      issuer: `The provider cannot be used: ${problem}. Correct the URL, or disable the provider.`,
    },
  };
}

export const deleteProvider = adminAction(pageOf, async ({ user }, form) => {
  const provider = await findProvider(systemDeps(), readProviderForm(form).draft.name);
  if (provider === null || provider.fromEnvironment) return goneOrReadOnly();
  await removeProvider(systemDeps(), user, provider);
  await setFlash(
    "The provider is deleted. All accounts at the provider are unlinked, and the roles that its group mapping assigned are removed.",
  );
  redirect(PROVIDERS);
});
