import type { Metadata } from "next";
import { type Query, urlWithQuery } from "@/kernel/http/query";
import { ButtonLink } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { PageHead } from "@/ui/page-shell";
import { Pager } from "@/ui/pager";
import { SearchForm } from "@/ui/search-form";
import { Tabs } from "@/ui/tabs";
import { GroupTable } from "@/workspace/groups/components/group-list";
import { GROUPS, loadGroups } from "@/workspace/groups/loaders";
import { orNotFound } from "../../or-not-found";

export const metadata: Metadata = { title: "Groups" };

export default orNotFound(async function GroupsPage({
  searchParams,
}: {
  readonly searchParams: Promise<Query>;
}) {
  const { groups, roles, scope, search, pager, user } = await loadGroups(await searchParams);
  const tab = (label: string, value: typeof scope) => ({
    label,
    href: urlWithQuery(GROUPS, { scope: value === "all" ? "all" : "", search }),
    current: scope === value,
  });
  return (
    <>
      <PageHead
        title="Groups"
        about="Groups contain projects and subgroups. Members of a group are members of all its projects and subgroups."
        action={
          user === null ? undefined : (
            <ButtonLink kind="primary" href="/groups/new">
              New group
            </ButtonLink>
          )
        }
      />
      {user === null ? null : (
        <Tabs label="Filter groups" tabs={[tab("Yours", "yours"), tab("All visible groups", "all")]} />
      )}
      <SearchForm
        action={GROUPS}
        label="Find a group"
        search={search}
        keep={{ scope: scope === "all" && user !== null ? "all" : "" }}
      />
      {groups.length === 0 ? (
        <EmptyState title={search === "" ? "No groups yet" : "No groups found"}>
          {search === ""
            ? "Create a group to manage the members of several projects in one place."
            : "Search for any part of the path of a group."}
        </EmptyState>
      ) : (
        <GroupTable groups={groups} roles={roles} />
      )}
      <Pager {...pager} />
    </>
  );
});
