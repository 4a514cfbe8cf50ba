import type { Metadata } from "next";
import { addSecret, removeApplication, removeSecret } from "@/oauth/applications/actions";
import { ApplicationDetails } from "@/oauth/applications/components/application-details";
import { ApplicationHead } from "@/oauth/applications/components/application-head";
import { loadOwnApplication } from "@/oauth/applications/loaders";

export const metadata: Metadata = { title: "Application" };

export default async function ApplicationPage({
  params,
}: {
  readonly params: Promise<{ readonly id: string }>;
}) {
  const own = await loadOwnApplication((await params).id);
  return (
    <>
      <ApplicationHead application={own.application} now={own.now} />
      <ApplicationDetails
        {...own}
        addSecret={addSecret}
        removeSecret={removeSecret}
        remove={removeApplication}
      />
    </>
  );
}
