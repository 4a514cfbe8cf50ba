import type { Metadata } from "next";
import { convertManagedLicenses } from "@/review/licenses/actions";
import { LicenseNames, PolicyList } from "@/review/licenses/components/policy-list";
import { loadLicensePolicies } from "@/review/licenses/loaders";
import { Button, ButtonLink } from "@/ui/button";
import { Card } from "@/ui/card";
import { EmptyState } from "@/ui/empty-state";
import { PageHead } from "@/ui/page-shell";
import { SettingsTabs } from "@/workspace/projects/components/settings-tabs";
import { orNotFound } from "../../../../or-not-found";

export const metadata: Metadata = { title: "License policies" };

type Props = { readonly params: Promise<{ readonly id: string }> };

export default orNotFound(async function LicensePoliciesPage({ params }: Props) {
  const { policies, managed, mayAdd, ...location } = await loadLicensePolicies((await params).id);
  const { project, path, mayEdit } = location;
  const add =
    mayEdit && mayAdd ? (
      <ButtonLink kind="primary" href={`${path}/new`}>
        New policy
      </ButtonLink>
    ) : null;
  const hasManaged = managed.allowList.length + managed.denyList.length > 0;
  return (
    <>
      <PageHead
        title="License policies"
        about="Gatehouse reads the licenses of packages from the lock files of a merge request. A policy blocks merge requests that introduce unwanted licenses."
        action={add}
      />
      {mayEdit ? <SettingsTabs id={project} current="License policies" /> : null}
      {policies.length === 0 ? (
        <EmptyState title="No license policies yet">
          {mayEdit
            ? "Create a policy with a list of denied licenses, or with a list of allowed licenses that excludes all others."
            : "A maintainer of the project can create a policy."}
        </EmptyState>
      ) : (
        <PolicyList policies={policies} {...location} />
      )}
      {hasManaged ? (
        <Card
          title="Managed licenses"
          about="These managed licenses were created through API v4. These licenses have the effect of a policy that permits a violation after one approval."
        >
          <LicenseNames lists={managed} />
          {mayEdit ? (
            <form action={convertManagedLicenses}>
              <input type="hidden" name="project" value={project} />
              <Button>Convert to a policy</Button>
            </form>
          ) : null}
        </Card>
      ) : null}
    </>
  );
});
