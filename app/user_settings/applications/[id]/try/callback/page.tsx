import { GET as getUser } from "@app/api/v4/user/route";
import type { Metadata } from "next";
import type { Query } from "@/kernel/http/query";
import { TrialSteps } from "@/oauth-endpoints/trial/components/trial-page";
import { loadTrialResult } from "@/oauth-endpoints/trial/loaders";

export const metadata: Metadata = { title: "Result of the authorization" };

export default async function TrialResultPage(props: {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<Query>;
}) {
  const result = await loadTrialResult((await props.params).id, await props.searchParams, getUser);
  return <TrialSteps {...result} />;
}
