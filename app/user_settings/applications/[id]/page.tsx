import type { Metadata } from "next";
import type { Query } from "@/kernel/http/query";
import { ActivityCharts } from "@/oauth/applications/components/application-activity";
import { ApplicationHead } from "@/oauth/applications/components/application-head";
import {
  addMaintainer,
  addSecret,
  removeApplication,
  removeMaintainer,
  removeSecret,
} from "@/oauth/own-applications/actions";
import { ApplicationDeletion } from "@/oauth/own-applications/components/application-deletion";
import { ApplicationDetails } from "@/oauth/own-applications/components/application-details";
import { applicationSections } from "@/oauth/own-applications/components/application-sections";
import { ApplicationTrail } from "@/oauth/own-applications/components/application-trail";
import { loadApplicationActivity, loadOwnApplication } from "@/oauth/own-applications/loaders";
import { ButtonLink } from "@/ui/button";
import { Card } from "@/ui/card";
import { SectionNav } from "@/ui/section-nav";
import { StaticMarkup } from "@/ui/static-markup";

export const metadata: Metadata = { title: "Application" };

export default async function ApplicationPage(props: {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<Query>;
}) {
  const { id } = await props.params;
  const own = await loadOwnApplication(id);
  const activity = await loadApplicationActivity(id, await props.searchParams);
  return (
    <StaticMarkup>
      <ApplicationTrail application={own.application} />
      <ApplicationHead application={own.application} now={own.now} />
      <SectionNav sections={applicationSections(own)} />
      <ApplicationDetails
        {...own}
        addSecret={addSecret}
        removeSecret={removeSecret}
        addMaintainer={addMaintainer}
        removeMaintainer={removeMaintainer}
      />
      <Card
        id="section-webhooks"
        title="Webhooks"
        about="Tell your program when grants of this application are revoked or misused."
      >
        <div>
          <ButtonLink href={`/user_settings/applications/${own.application.id}/webhooks`}>
            Show webhooks
          </ButtonLink>
        </div>
      </Card>
      <ActivityCharts {...activity} />
      {own.application.right === "own" ? (
        <ApplicationDeletion application={own.application} remove={removeApplication} />
      ) : null}
    </StaticMarkup>
  );
}
