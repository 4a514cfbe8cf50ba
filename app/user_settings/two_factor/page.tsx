import type { Metadata } from "next";
import { TwoFactorOverview } from "@/identity/two-factor/components/overview";
import { loadTwoFactor, returnPathOf } from "@/identity/two-factor/loaders";
import { PageHead } from "@/ui/page-shell";

export const metadata: Metadata = { title: "Two-factor" };

type Props = {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
};

export default async function TwoFactorPage({ searchParams }: Props) {
  const returnTo = returnPathOf((await searchParams)["return_to"]);
  const overview = await loadTwoFactor(returnTo);
  return (
    <>
      <PageHead
        title="Two-factor"
        about="Something that you have, beside the password that you know: who learns your password still cannot sign in."
      />
      <TwoFactorOverview overview={overview} returnTo={returnTo} />
    </>
  );
}
