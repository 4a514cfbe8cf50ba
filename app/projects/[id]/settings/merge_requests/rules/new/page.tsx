import type { Metadata } from "next";
import { addRule } from "@/review/approvals/actions";
import { RuleForm } from "@/review/approvals/components/rule-form";
import { loadNewRule } from "@/review/approvals/loaders";
import { PageHead } from "@/ui/page-shell";
import { orNotFound } from "../../../../../../or-not-found";

export const metadata: Metadata = { title: "New approval rule" };

type Props = { readonly params: Promise<{ readonly id: string }> };

const DRAFT = { name: "", approvalsRequired: "1", usernames: "" };

export default orNotFound(async function NewApprovalRulePage({ params }: Props) {
  const place = await loadNewRule((await params).id);
  return (
    <>
      <PageHead
        title="New approval rule"
        about="Every merge request of the project needs the approvals of this rule."
      />
      <RuleForm action={addRule} draft={DRAFT} {...place} />
    </>
  );
});
