import type { Metadata } from "next";
import { ApplicationList } from "@/features/applications/components/application-list";
import { loadApplications } from "@/features/applications/loaders";
import { ButtonLink } from "@/ui/button";
import { PageHead } from "@/ui/page-shell";

export const metadata: Metadata = { title: "Applications" };

export default async function ApplicationsPage() {
  const applications = await loadApplications();
  return (
    <>
      <PageHead
        title="Applications"
        about="Programs that you let other people sign in to with their account here."
        action={
          <ButtonLink kind="primary" href="/user_settings/applications/new">
            Register an application
          </ButtonLink>
        }
      />
      <ApplicationList applications={applications} />
    </>
  );
}
