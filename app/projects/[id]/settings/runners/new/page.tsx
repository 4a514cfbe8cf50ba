import type { Metadata } from "next";
import { createRunner } from "@/fleet/runners/actions";
import { RunnerForm } from "@/fleet/runners/components/runner-form";
import { loadNewRunner } from "@/fleet/runners/loaders";
import { PageHead } from "@/ui/page-shell";
import { orNotFound } from "../../../../../or-not-found";

export const metadata: Metadata = { title: "Create a project runner" };

export default orNotFound(async function NewProjectRunnerPage(props: {
  readonly params: Promise<{ readonly id: string }>;
}) {
  const page = await loadNewRunner({ kind: "project", id: (await props.params).id });
  return (
    <>
      <PageHead title="Create a project runner" />
      <RunnerForm action={createRunner} {...page} />
    </>
  );
});
