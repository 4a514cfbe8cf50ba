import type { Metadata } from "next";
import { removeApplication, renewSecret } from "@/features/applications/actions";
import { ApplicationDetails } from "@/features/applications/components/application-details";
import { loadApplication } from "@/features/applications/loaders";
import { ButtonLink } from "@/ui/button";
import { PageHead } from "@/ui/page-shell";

export const metadata: Metadata = { title: "Application" };

export default async function ApplicationPage({
  params,
}: {
  readonly params: Promise<{ readonly id: string }>;
}) {
  const application = await loadApplication((await params).id);
  return (
    <>
      <PageHead
        title={application.name}
        action={<ButtonLink href={`/user_settings/applications/${application.id}/edit`}>Edit</ButtonLink>}
      />
      <ApplicationDetails application={application} renewSecret={renewSecret} remove={removeApplication} />
    </>
  );
}
