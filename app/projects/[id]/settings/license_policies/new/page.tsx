import type { Metadata } from "next";
import { addPolicy } from "@/review/licenses/actions";
import { PolicyForm } from "@/review/licenses/components/policy-form";
import { loadNewLicensePolicy } from "@/review/licenses/loaders";
import { PageHead } from "@/ui/page-shell";
import { orNotFound } from "../../../../../or-not-found";

export const metadata: Metadata = { title: "New license policy" };

type Props = { readonly params: Promise<{ readonly id: string }> };

export default orNotFound(async function NewLicensePolicyPage({ params }: Props) {
  const form = await loadNewLicensePolicy((await params).id);
  return (
    <>
      <PageHead
        title="New license policy"
        about="A policy needs at least one license in the deny list or in the allow list."
      />
      <PolicyForm action={addPolicy} {...form} />
    </>
  );
});
