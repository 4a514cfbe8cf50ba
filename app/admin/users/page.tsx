import type { Metadata } from "next";
import type { Query } from "@/kernel/http/query";
import { UsersTable, WaitingUsers } from "@/operations/administration/components/user-table";
import { loadUsers } from "@/operations/administration/loaders";
import { ButtonLink } from "@/ui/button";
import { PageHead } from "@/ui/page-shell";
import { Pager } from "@/ui/pager";
import { SearchForm } from "@/ui/search-form";
import { StaticMarkup } from "@/ui/static-markup";

export const metadata: Metadata = { title: "Users" };

export default async function UsersPage({ searchParams }: { readonly searchParams: Promise<Query> }) {
  const { users, pendingApprovals, pendingEmails, search, pager, now } = await loadUsers(await searchParams);
  return (
    <StaticMarkup>
      <PageHead
        title="Users"
        about="All users of this instance."
        action={
          <span className="flex flex-wrap gap-3">
            <ButtonLink href="/admin/invitations">Invite</ButtonLink>
            <ButtonLink kind="primary" href="/admin/users/new">
              Create a user
            </ButtonLink>
          </span>
        }
      />
      <WaitingUsers about="Registrations that wait for approval:" users={pendingApprovals} />
      <WaitingUsers about="New e-mail addresses that wait for confirmation:" users={pendingEmails} />
      <SearchForm
        action="/admin/users"
        label="Find a user"
        hint="Enter the beginning of a username or e-mail address, or part of a name."
        search={search}
      />
      <UsersTable users={users} search={search} now={now} />
      <Pager {...pager} newestFirst />
    </StaticMarkup>
  );
}
