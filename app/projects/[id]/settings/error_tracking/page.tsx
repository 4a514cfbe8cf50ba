import type { Metadata } from "next";
import { changeTracking } from "@/features/error-tracking/actions";
import { ClientKeys } from "@/features/error-tracking/components/client-keys";
import { EventStorage } from "@/features/error-tracking/components/event-storage";
import { Reporting } from "@/features/error-tracking/components/reporting";
import { TrackingForm } from "@/features/error-tracking/components/tracking-form";
import { loadTrackingSettings } from "@/features/error-tracking/loaders";
import { SettingsTabs } from "@/features/projects/components/settings-tabs";
import type { Query } from "@/platform/keyset";
import { Card } from "@/ui/card";
import { PageHead } from "@/ui/page-shell";
import { orNotFound } from "../../../../or-not-found";

export const metadata: Metadata = { title: "Error tracking" };

type Props = { readonly params: Promise<{ readonly id: string }>; readonly searchParams: Promise<Query> };

export default orNotFound(async function ErrorTrackingPage({ params, searchParams }: Props) {
  const settings = await loadTrackingSettings((await params).id, await searchParams);
  const { id, draft, hasToken, keepsErrors, snippets } = settings;
  return (
    <>
      <PageHead title="Error tracking" about="Where the errors go that the project's programs report." />
      <SettingsTabs id={id} current="Error tracking" />
      <TrackingForm action={changeTracking} id={id} draft={draft} hasToken={hasToken} />
      {keepsErrors ? (
        <>
          <ClientKeys {...settings} />
          <EventStorage {...settings} />
          {snippets.length === 0 ? null : (
            <Card
              title="Report errors"
              about="Any of Sentry's libraries reports here. Paste the DSN where it asks for one."
            >
              <Reporting snippets={snippets} />
            </Card>
          )}
        </>
      ) : null}
    </>
  );
});
