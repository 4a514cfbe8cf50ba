import type { Metadata } from "next";
import { visibleName } from "@/kernel/text/visible";
import { changeRule } from "@/review/approvals/actions";
import { RuleForm } from "@/review/approvals/components/rule-form";
import { Approvers } from "@/review/approvals/components/rule-list";
import { loadRule } from "@/review/approvals/loaders";
import { PageHead } from "@/ui/page-shell";
import { orNotFound } from "../../../../../../or-not-found";

export const metadata: Metadata = { title: "Approval rule" };

type Props = { readonly params: Promise<{ readonly id: string; readonly rule_id: string }> };

export default orNotFound(async function ApprovalRulePage({ params }: Props) {
  const { id, rule_id } = await params;
  const { project, home, shown } = await loadRule(id, rule_id);
  const { rule, users } = shown;
  const draft = {
    name: rule.name,
    approvalsRequired: String(rule.approvalsRequired),
    usernames: users.map(({ username }) => username).join(", "),
  };
  return (
    <>
      <PageHead title={`Edit ${visibleName(rule.name)}`} about="Changes apply to all open merge requests." />
      {rule.groupIds.length === 0 ? null : (
        <p>
          The rule also includes <Approvers {...shown} users={[]} />. This form does not change the groups of
          the rule.
        </p>
      )}
      <RuleForm action={changeRule} project={project} home={home} draft={draft} ruleId={rule.id} />
    </>
  );
});
