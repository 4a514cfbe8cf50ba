import type { Metadata } from "next";
import { enrolTotp } from "@/identity/two-factor/actions";
import { TotpEnrolment } from "@/identity/two-factor/components/totp-enrolment";
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
      <TotpEnrolment action={enrolTotp} pending={pending} returnTo={returnTo} />
    </>
  );
}
