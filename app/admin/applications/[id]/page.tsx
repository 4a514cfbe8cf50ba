import type { Metadata } from "next";
import { ApplicationOverview } from "@/operations/administration/components/application-overview";
import { ApplicationBadges } from "@/operations/administration/components/applications-table";
import { loadApplication } from "@/operations/administration/loaders";
import { PageHead } from "@/ui/page-shell";

export const metadata: Metadata = { title: "Manage application" };

export default async function InstanceApplicationPage({
  params,
}: {
  readonly params: Promise<{ readonly id: string }>;
}) {
  const { application, now } = await loadApplication((await params).id);
  return (
    <>
      <PageHead title={application.name} about={<ApplicationBadges application={application} />} />
      <ApplicationOverview application={application} now={now} />
    </>
  );
}
