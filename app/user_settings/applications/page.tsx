import type { Metadata } from "next";
import type { Query } from "@/kernel/http/query";
import { ApplicationList, NoApplications } from "@/oauth/own-applications/components/application-list";
import { RegistrationClosed } from "@/oauth/own-applications/components/registration-closed";
import { loadApplications, loadRegistrationIsOpen } from "@/oauth/own-applications/loaders";
import { ButtonLink } from "@/ui/button";
import { PageHead } from "@/ui/page-shell";
import { StaticMarkup } from "@/ui/static-markup";

export const metadata: Metadata = { title: "Applications" };

export default async function ApplicationsPage({ searchParams }: { readonly searchParams: Promise<Query> }) {
  const page = await loadApplications(await searchParams);
  const open = await loadRegistrationIsOpen();
  return (
    <StaticMarkup>
      <PageHead
        title="Applications"
        about="Applications that you own or maintain. People can sign in to these applications with their account on this server."
        action={
          open ? (
            <ButtonLink kind="primary" href="/user_settings/applications/new">
              Register an application
            </ButtonLink>
          ) : undefined
        }
      />
      {open ? null : <RegistrationClosed />}
      <ApplicationList page={page} empty={<NoApplications open={open} />} userId={page.userId} />
    </StaticMarkup>
  );
}
