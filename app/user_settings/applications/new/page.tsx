import type { Metadata } from "next";
import { registerApplication } from "@/features/applications/actions";
import { ApplicationForm } from "@/features/applications/components/application-form";
import { requireSession } from "@/features/sign-in/loaders";
import { PageHead } from "@/ui/page-shell";

export const metadata: Metadata = { title: "Register an application" };

const EMPTY = { name: "", redirectUris: "", scopes: [], confidential: null };

export default async function NewApplicationPage() {
  await requireSession("/user_settings/applications/new");
  return (
    <>
      <PageHead title="Register an application" />
      <ApplicationForm
        action={registerApplication}
        draft={EMPTY}
        submit="Register"
        cancelTo="/user_settings/applications"
      />
    </>
  );
}
