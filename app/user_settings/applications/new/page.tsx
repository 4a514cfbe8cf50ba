import type { Metadata } from "next";
import type { Query } from "@/kernel/http/query";
import { registerApplication } from "@/oauth/own-applications/actions";
import { ApplicationForm } from "@/oauth/own-applications/components/application-form";
import { APPLICATION_FORM_SECTIONS } from "@/oauth/own-applications/components/application-form-sections";
import { RegistrationClosed } from "@/oauth/own-applications/components/registration-closed";
import { loadRegistration } from "@/oauth/own-applications/loaders";
import { PageHead } from "@/ui/page-shell";
import { SectionNav } from "@/ui/section-nav";
import { Trail } from "@/ui/trail";

export const metadata: Metadata = { title: "Register an application" };

export default async function NewApplicationPage({
  searchParams,
}: {
  readonly searchParams: Promise<Query>;
}) {
  const registration = await loadRegistration(await searchParams);
  if (registration === null)
    return (
      <>
        <PageHead title="Register an application" />
        <RegistrationClosed />
      </>
    );
  const { template, plainHttp } = registration;
  return (
    <>
      <Trail steps={[{ label: "Applications", href: "/user_settings/applications" }]} />
      <PageHead title="Register an application" />
      <SectionNav sections={APPLICATION_FORM_SECTIONS} />
      <ApplicationForm
        action={registerApplication}
        draft={template.draft}
        template={template.name}
        plainHttp={plainHttp}
        submit="Register"
        cancelTo="/user_settings/applications"
      />
    </>
  );
}
