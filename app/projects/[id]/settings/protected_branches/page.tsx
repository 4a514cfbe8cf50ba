import type { Metadata } from "next";
import { protectBranch } from "@/code/protected-branches/actions";
import { ProtectedBranchList } from "@/code/protected-branches/components/protected-branch-list";
import { ProtectionForm } from "@/code/protected-branches/components/protection-form";
import { loadProtectedBranches } from "@/code/protected-branches/loaders";
import { Card } from "@/ui/card";
import { PageHead } from "@/ui/page-shell";
import { SettingsTabs } from "@/workspace/projects/components/settings-tabs";
import { orNotFound } from "../../../../or-not-found";

export const metadata: Metadata = { title: "Protected branches" };

type Props = { readonly params: Promise<{ readonly id: string }> };

export default orNotFound(async function ProtectedBranchesPage({ params }: Props) {
  const { project, rules } = await loadProtectedBranches((await params).id);
  return (
    <>
      <PageHead
        title="Protected branches"
        about="Choose which users can push to important branches and merge into them."
      />
      <SettingsTabs id={project} current="Protected branches" />
      <Card
        title="Protected branches"
        about="A push cannot delete a protected branch. If several rules match a branch, the most permissive rule applies."
      >
        <ProtectedBranchList project={project} rules={rules} />
      </Card>
      <Card
        title="Protect a branch"
        about="Users who can push to the branch can bypass approvals and license policies."
      >
        <ProtectionForm action={protectBranch} project={project} />
      </Card>
    </>
  );
});
