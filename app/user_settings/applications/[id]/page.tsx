import type { Metadata } from "next";
import { ApplicationHead } from "@/oauth/applications/components/application-head";
import { addSecret, removeApplication, removeSecret } from "@/oauth/own-applications/actions";
import { ApplicationDetails } from "@/oauth/own-applications/components/application-details";
import { loadOwnApplication } from "@/oauth/own-applications/loaders";

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
