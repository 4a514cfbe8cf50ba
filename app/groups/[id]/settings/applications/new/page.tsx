import type { Metadata } from "next";
import type { Query } from "@/kernel/http/query";
import { ApplicationForm } from "@/oauth/own-applications/components/application-form";
import { APPLICATION_FORM_SECTIONS } from "@/oauth/own-applications/components/application-form-sections";
import { PageHead } from "@/ui/page-shell";
import { SectionNav } from "@/ui/section-nav";
import { registerGroupApplication } from "@/workspace/group-applications/actions";
import { loadGroupRegistration } from "@/workspace/group-applications/loaders";
import { orNotFound } from "../../../../../or-not-found";

export const metadata: Metadata = { title: "Register an application of the group" };

export default orNotFound(async function NewGroupApplicationPage(props: {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<Query>;
}) {
  const { group, list, template, plainHttp } = await loadGroupRegistration(
    (await props.params).id,
    await props.searchParams,
  );
  return (
    <>
      <PageHead
        title="Register an application"
        about="The group owns the application. Every Owner of the group can manage the application."
      />
      <SectionNav sections={APPLICATION_FORM_SECTIONS} />
      <ApplicationForm
        action={registerGroupApplication}
        groupId={group.id}
        draft={template.draft}
        template={template.name}
        plainHttp={plainHttp}
        submit="Register"
        cancelTo={list}
      />
    </>
  );
});
