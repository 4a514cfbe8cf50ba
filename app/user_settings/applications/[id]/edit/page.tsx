import type { Metadata } from "next";
import { changeApplication } from "@/features/applications/actions";
import { ApplicationForm } from "@/features/applications/components/application-form";
import { loadApplication } from "@/features/applications/loaders";
import { PageHead } from "@/ui/page-shell";

export const metadata: Metadata = { title: "Edit an application" };

export default async function EditApplicationPage({
  params,
}: {
  readonly params: Promise<{ readonly id: string }>;
}) {
  const application = await loadApplication((await params).id);
  const { id, name, redirectUris } = application;
  return (
    <>
      <PageHead title={`Edit ${name}`} />
      <ApplicationForm
        action={changeApplication}
        id={id}
        draft={{ ...application, redirectUris: redirectUris.join("\n") }}
        submit="Save"
        cancelTo={`/user_settings/applications/${id}`}
      />
    </>
  );
}
