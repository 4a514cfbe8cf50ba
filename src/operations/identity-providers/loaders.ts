import { notFound } from "next/navigation";
import { countLinks } from "@/identity/linked-identities/service";
import { callbackPath } from "@/identity/provider-sign-in/client";
import { findProvider, listProviders } from "@/identity/providers/service";
import { heldFormOf, requireAdmin, requireRecentAuthentication } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import { type Query, textOf } from "@/kernel/http/query";
import { draftOf, isKind, newDraft, readProviderForm } from "./schema";

export const PROVIDERS = "/admin/identity_providers";
export const providerPage = (name: string): string => `${PROVIDERS}/${encodeURIComponent(name)}`;
export const newProviderPage = (kind: string): string => `${PROVIDERS}/new?kind=${encodeURIComponent(kind)}`;

/** Loads the sign-in providers with the numbers of their linked accounts, for an administrator. */
export async function loadProviders() {
  await requireAdmin(PROVIDERS);
  const deps = systemDeps();
  const links = await countLinks(deps);
  const providers = await listProviders(deps);
  return providers.map((provider) => ({ ...provider, links: links.get(provider.name) ?? 0 }));
}

export type ListedProvider = Awaited<ReturnType<typeof loadProviders>>[number];

const callbackOf = (name: string): string => `${systemDeps().config.issuer}${callbackPath(name)}`;

/**
 * Loads the form for a new provider, for an administrator. The page requires a recent authentication;
 * otherwise, a re-authentication after the submission would discard the client secret. The result is null if
 * the administrator has not chosen the kind of the provider yet.
 */
export async function loadNewProvider(query: Query) {
  const kind = textOf(query, "kind");
  await requireAdmin(PROVIDERS);
  if (!isKind(kind)) return null;
  const page = newProviderPage(kind);
  await requireRecentAuthentication(page);
  const held = await heldFormOf(page);
  const draft = held === null ? newDraft(kind) : readProviderForm(held).draft;
  return { draft, callback: callbackOf(draft.name || "NAME") };
}

/** Loads a sign-in provider with its form, for an administrator; the response for an unknown name is 404. */
export async function loadProvider(name: string) {
  await requireAdmin(providerPage(name));
  const deps = systemDeps();
  const provider = (await findProvider(deps, name)) ?? notFound();
  if (!provider.fromEnvironment) await requireRecentAuthentication(providerPage(name));
  const held = await heldFormOf(providerPage(name));
  return {
    provider,
    draft: held === null ? draftOf(provider) : readProviderForm(held).draft,
    callback: callbackOf(name),
    links: (await countLinks(deps)).get(name) ?? 0,
  };
}
