import type { Metadata } from "next";
import { enrollTotp } from "@/identity/two-factor/actions";
import { TotpEnrollment } from "@/identity/two-factor/components/totp-enrollment";
import { loadPendingTotp, returnPathOf } from "@/identity/two-factor/loaders";
import { PageHead } from "@/ui/page-shell";

export const metadata: Metadata = { title: "Set up an authenticator app" };

type Props = {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
};

export default async function AuthenticatorAppPage({ searchParams }: Props) {
  const returnTo = returnPathOf((await searchParams)["return_to"]);
  const pending = await loadPendingTotp(returnTo);
  return (
    <>
      <PageHead title="Set up an authenticator app" />
      <TotpEnrollment action={enrollTotp} pending={pending} returnTo={returnTo} />
    </>
  );
}
