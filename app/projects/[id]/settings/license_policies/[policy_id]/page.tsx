import type { Metadata } from "next";
import { visibleName } from "@/kernel/text/visible";
import { changePolicy } from "@/review/licenses/actions";
import { PolicyForm } from "@/review/licenses/components/policy-form";
import { loadLicensePolicy } from "@/review/licenses/loaders";
import { PageHead } from "@/ui/page-shell";
import { orNotFound } from "../../../../../or-not-found";

export const metadata: Metadata = { title: "License policy" };

type Props = { readonly params: Promise<{ readonly id: string; readonly policy_id: string }> };

export default orNotFound(async function LicensePolicyPage({ params }: Props) {
  const { id, policy_id } = await params;
  const { policy, ...form } = await loadLicensePolicy(id, policy_id);
  return (
    <>
      <PageHead
        title={`Edit ${visibleName(policy.name)}`}
        about="Changes apply to all open merge requests."
      />
      <PolicyForm action={changePolicy} policyId={policy.id} {...form} />
    </>
  );
});
