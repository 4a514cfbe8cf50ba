import type { Metadata } from "next";
import { addPasskey } from "@/identity/two-factor/actions";
import { NewPasskey } from "@/identity/two-factor/components/new-passkey";
import { loadPasskeyCreation, returnPathOf } from "@/identity/two-factor/loaders";
import { PageHead } from "@/ui/page-shell";

export const metadata: Metadata = { title: "Add a passkey" };

type Props = {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
};

export default async function NewPasskeyPage({ searchParams }: Props) {
  const returnTo = returnPathOf((await searchParams)["return_to"]);
  const creation = await loadPasskeyCreation(returnTo);
  return (
    <>
      <PageHead
        title="Add a passkey"
        about="Your browser asks where to save the passkey. A passkey works only on this site, and you do not have to remember it."
      />
      <NewPasskey action={addPasskey} creation={creation} returnTo={returnTo} />
    </>
  );
}
