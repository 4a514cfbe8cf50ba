import type { Metadata } from "next";
import type { Query } from "@/kernel/paging/keyset";
import { PendingEmails, UsersTable } from "@/operations/administration/components/user-table";
import { loadUsers } from "@/operations/administration/loaders";
import { ButtonLink } from "@/ui/button";
import { PageHead } from "@/ui/page-shell";
import { Pager } from "@/ui/pager";
import { SearchForm } from "@/ui/search-form";

export const metadata: Metadata = { title: "Users" };

export default async function UsersPage({ searchParams }: { readonly searchParams: Promise<Query> }) {
  const { people: users, pendingEmails, search, pager, now } = await loadUsers(await searchParams);
  return (
    <>
      <PageHead
        title="Users"
        about="Everybody who can sign in here."
        action={
          <ButtonLink kind="primary" href="/admin/users/new">
            Create a user
          </ButtonLink>
        }
      />
      <PendingEmails users={pendingEmails} />
      <SearchForm
        action="/admin/users"
        label="Find a user"
        hint="How the username or the e-mail address begins, or a part of the name."
        search={search}
      />
      <UsersTable users={users} search={search} now={now} />
      <Pager {...pager} />
    </>
  );
}
