import type { Metadata } from "next";
import type { Query } from "@/kernel/http/query";
import { changeApprovals } from "@/review/approvals/actions";
import { ApprovalsForm } from "@/review/approvals/components/approvals-form";
import { RuleList } from "@/review/approvals/components/rule-list";
import { loadMergeRequestSettings } from "@/review/approvals/loaders";
import { ButtonLink } from "@/ui/button";
import { Card } from "@/ui/card";
import { PageHead } from "@/ui/page-shell";
import { Pager } from "@/ui/pager";
import { StaticMarkup } from "@/ui/static-markup";
import { changeMergeMethod } from "@/workspace/projects/actions";
import { MergeMethodForm } from "@/workspace/projects/components/merge-method-form";
import { SettingsTabs } from "@/workspace/projects/components/settings-tabs";
import { orNotFound } from "../../../../or-not-found";

export const metadata: Metadata = { title: "Merge request settings" };

type Props = { readonly params: Promise<{ readonly id: string }>; readonly searchParams: Promise<Query> };

export default orNotFound(async function MergeRequestSettingsPage({ params, searchParams }: Props) {
  const settings = await loadMergeRequestSettings((await params).id, await searchParams);
  const { project, home, mergeMethod, draft, rules, pager } = settings;
  return (
    <StaticMarkup>
      <PageHead title="Merge requests" about="How merge requests are approved and merged." />
      <SettingsTabs id={project} current="Merge requests" />
      <Card
        title="Approvals"
        about="The approvals that a merge request needs before it can be merged. Members with the Developer role or higher can approve."
      >
        <ApprovalsForm action={changeApprovals} project={project} draft={draft} />
      </Card>
      <Card
        title="Approval rules"
        about="Each rule requires approvals by the users and groups that it names. One approval can count for several rules."
        action={<ButtonLink href={`${home}/rules/new`}>Add rule</ButtonLink>}
      >
        <RuleList project={project} home={home} rules={rules} />
        <Pager {...pager} />
      </Card>
      <Card title="Merging" about="Choose how a merge combines the source branch with the target branch.">
        <MergeMethodForm action={changeMergeMethod} project={project} chosen={mergeMethod} />
      </Card>
    </StaticMarkup>
  );
});
