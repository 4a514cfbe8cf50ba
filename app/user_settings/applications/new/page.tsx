import type { Metadata } from "next";
import { registerApplication } from "@/features/applications/actions";
import { ApplicationForm } from "@/features/applications/components/application-form";
import { RegistrationClosed } from "@/features/applications/components/registration-closed";
import { loadRegistrationIsOpen } from "@/features/applications/loaders";
import { PageHead } from "@/ui/page-shell";

export const metadata: Metadata = { title: "Register an application" };

const EMPTY = {
  name: "",
  redirectUris: "",
  scopes: [],
  confidential: null,
  requiresPkce: false,
  allowsPassword: true,
};

export default async function NewApplicationPage() {
  const open = await loadRegistrationIsOpen();
  return (
    <>
      <PageHead title="Register an application" />
      {open ? (
        <ApplicationForm
          action={registerApplication}
          draft={EMPTY}
          submit="Register"
          cancelTo="/user_settings/applications"
        />
      ) : (
        <RegistrationClosed />
      )}
    </>
  );
}
