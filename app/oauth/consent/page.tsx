import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { ConsentCard } from "@/oauth/authorizations/components/consent-card";
import { loadConsent } from "@/oauth/authorizations/loaders";

export const metadata: Metadata = { title: "Allow access" };

type Props = { readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>> };

export default async function ConsentPage({ searchParams }: Props) {
  const query = queryText(await searchParams);
  const consent = await loadConsent(query);
  if (consent === null) redirect(`/oauth/authorize?${query}`);
  return <ConsentCard {...consent} />;
}

/** The query again as text, for the one parser of authorization requests. */
const queryText = (parameters: Readonly<Record<string, string | string[] | undefined>>): string =>
  Object.entries(parameters)
    .flatMap(([name, value]) => [value ?? []].flat().map((one) => `${name}=${encodeURIComponent(one)}`))
    .join("&");
