import type { Metadata } from "next";
import { changeApplication, removeLogo, uploadLogo } from "@/features/applications/actions";
import { ApplicationForm } from "@/features/applications/components/application-form";
import { LogoForm } from "@/features/applications/components/logo-form";
import { loadApplication } from "@/features/applications/loaders";
import { PageHead } from "@/ui/page-shell";

export const metadata: Metadata = { title: "Edit an application" };

export default async function EditApplicationPage({
  params,
}: {
  readonly params: Promise<{ readonly id: string }>;
}) {
  const { application, plainHttp } = await loadApplication((await params).id);
  const { id, name, redirectUris } = application;
  return (
    <>
      <PageHead title={`Edit ${name}`} />
      <LogoForm application={{ id, name, logo: application.logo }} upload={uploadLogo} remove={removeLogo} />
      <ApplicationForm
        action={changeApplication}
        id={id}
        draft={{ ...application, redirectUris: redirectUris.join("\n") }}
        plainHttp={plainHttp}
        submit="Save"
        cancelTo={`/user_settings/applications/${id}`}
      />
    </>
  );
}
