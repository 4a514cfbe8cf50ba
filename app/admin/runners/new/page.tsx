import type { Metadata } from "next";
import { createRunner } from "@/fleet/runners/actions";
import { RunnerForm } from "@/fleet/runners/components/runner-form";
import { loadNewRunner } from "@/fleet/runners/loaders";
import { PageHead } from "@/ui/page-shell";

export const metadata: Metadata = { title: "Create an instance runner" };

export default async function NewInstanceRunnerPage() {
  const page = await loadNewRunner({ kind: "instance", id: "" });
  return (
    <>
      <PageHead title="Create an instance runner" about="The runner can execute the jobs of all projects." />
      <RunnerForm action={createRunner} {...page} />
    </>
  );
}
