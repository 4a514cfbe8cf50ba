import type { Metadata } from "next";
import { changeTracking } from "@/error-tracking/settings/actions";
import { ClientKeys } from "@/error-tracking/settings/components/client-keys";
import { EventStorage } from "@/error-tracking/settings/components/event-storage";
import { Reporting } from "@/error-tracking/settings/components/reporting";
import { TrackingForm } from "@/error-tracking/settings/components/tracking-form";
import { loadTrackingSettings } from "@/error-tracking/settings/loaders";
import type { Query } from "@/kernel/http/query";
import { Card } from "@/ui/card";
import { PageHead } from "@/ui/page-shell";
import { SettingsTabs } from "@/workspace/projects/components/settings-tabs";
import { orNotFound } from "../../../../or-not-found";

export const metadata: Metadata = { title: "Error tracking" };

type Props = { readonly params: Promise<{ readonly id: string }>; readonly searchParams: Promise<Query> };

export default orNotFound(async function ErrorTrackingPage({ params, searchParams }: Props) {
  const settings = await loadTrackingSettings((await params).id, await searchParams);
  const { id, draft, hasToken, isIntegrated, snippets } = settings;
  return (
    <>
      <PageHead title="Error tracking" about="Collect the errors that the programs of this project report." />
      <SettingsTabs id={id} current="Error tracking" />
      <TrackingForm action={changeTracking} id={id} draft={draft} hasToken={hasToken} />
      {isIntegrated ? (
        <>
          <ClientKeys {...settings} />
          <EventStorage {...settings} />
          {snippets.length === 0 ? null : (
            <Card title="Report errors" about="Configure a Sentry SDK with the DSN of a client key.">
              <Reporting snippets={snippets} />
            </Card>
          )}
        </>
      ) : null}
    </>
  );
});
