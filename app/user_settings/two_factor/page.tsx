import type { Metadata } from "next";
import { TwoFactorOverview } from "@/identity/two-factor/components/overview";
import { loadTwoFactor, returnPathOf } from "@/identity/two-factor/loaders";
import { PageHead } from "@/ui/page-shell";
import { StaticMarkup } from "@/ui/static-markup";

export const metadata: Metadata = { title: "Two-factor authentication" };

type Props = {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
};

export default async function TwoFactorPage({ searchParams }: Props) {
  const returnTo = returnPathOf((await searchParams)["return_to"]);
  const overview = await loadTwoFactor(returnTo);
  return (
    <StaticMarkup>
      <PageHead
        title="Two-factor authentication"
        about="Sign in with a second factor in addition to your password. With a second factor, nobody can sign in with your password alone."
      />
      <TwoFactorOverview overview={overview} returnTo={returnTo} />
    </StaticMarkup>
  );
}
