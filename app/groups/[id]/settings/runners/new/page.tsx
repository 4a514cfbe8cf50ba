import type { Metadata } from "next";
import { createRunner } from "@/fleet/runners/actions";
import { RunnerForm } from "@/fleet/runners/components/runner-form";
import { loadNewRunner } from "@/fleet/runners/loaders";
import { PageHead } from "@/ui/page-shell";
import { orNotFound } from "../../../../../or-not-found";

export const metadata: Metadata = { title: "Create a group runner" };

export default orNotFound(async function NewGroupRunnerPage(props: {
  readonly params: Promise<{ readonly id: string }>;
}) {
  const page = await loadNewRunner({ kind: "group", id: (await props.params).id });
  return (
    <>
      <PageHead title="Create a group runner" />
      <RunnerForm action={createRunner} {...page} />
    </>
  );
});
