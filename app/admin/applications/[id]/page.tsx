import type { Metadata } from "next";
import type { Query } from "@/kernel/http/query";
import { ActivityCharts } from "@/oauth/applications/components/application-activity";
import { ApplicationMark } from "@/oauth/applications/components/application-mark";
import {
  ApplicationOverview,
  overviewSections,
} from "@/operations/administration/components/application-overview";
import { ApplicationBadges } from "@/operations/administration/components/applications-table";
import { loadApplication } from "@/operations/administration/loaders";
import { PageHead } from "@/ui/page-shell";
import { SectionNav } from "@/ui/section-nav";

export const metadata: Metadata = { title: "Manage application" };

export default async function InstanceApplicationPage(props: {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<Query>;
}) {
  const { id } = await props.params;
  const { application, identifiers, activity, now } = await loadApplication(id, await props.searchParams);
  return (
    <>
      <PageHead
        title={application.name}
        avatar={<ApplicationMark application={application} />}
        about={<ApplicationBadges application={application} />}
      />
      <SectionNav sections={overviewSections(application)} />
      <ApplicationOverview application={application} identifiers={identifiers} now={now}>
        <ActivityCharts {...activity} />
      </ApplicationOverview>
    </>
  );
}
