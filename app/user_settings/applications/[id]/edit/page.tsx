import type { Metadata } from "next";
import { changeApplication, removeLogo, uploadLogo } from "@/oauth/own-applications/actions";
import { ApplicationForm } from "@/oauth/own-applications/components/application-form";
import {
  APPLICATION_FORM_SECTIONS,
  LOGO_SECTION,
} from "@/oauth/own-applications/components/application-form-sections";
import { ApplicationTrail } from "@/oauth/own-applications/components/application-trail";
import { LogoForm } from "@/oauth/own-applications/components/logo-form";
import { loadApplicationEdit } from "@/oauth/own-applications/loaders";
import { PageHead } from "@/ui/page-shell";
import { SectionNav } from "@/ui/section-nav";

export const metadata: Metadata = { title: "Edit an application" };

export default async function EditApplicationPage({
  params,
}: {
  readonly params: Promise<{ readonly id: string }>;
}) {
  const { application, plainHttp, draft, heldLogo } = await loadApplicationEdit((await params).id);
  const { id, name, logo } = application;
  return (
    <>
      <ApplicationTrail application={application} page={{ label: "Edit", segment: "edit" }} />
      <PageHead title={`Edit ${name}`} />
      <SectionNav sections={[LOGO_SECTION, ...APPLICATION_FORM_SECTIONS]} />
      <LogoForm application={{ id, name, logo }} held={heldLogo} upload={uploadLogo} remove={removeLogo} />
      <ApplicationForm
        action={changeApplication}
        id={id}
        draft={draft}
        plainHttp={plainHttp}
        submit="Save"
        cancelTo={`/user_settings/applications/${id}`}
      />
    </>
  );
}
