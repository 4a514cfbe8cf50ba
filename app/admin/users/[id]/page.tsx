import type { Metadata } from "next";
import { UserDetails } from "@/operations/administration/components/user-details";
import { loadUser } from "@/operations/administration/loaders";
import { PageHead } from "@/ui/page-shell";

export const metadata: Metadata = { title: "User" };

export default async function UserPage({ params }: { readonly params: Promise<{ readonly id: string }> }) {
  const { user, dependent, self, now } = await loadUser((await params).id);
  return (
    <>
      <PageHead title={user.name} />
      <UserDetails user={user} dependent={dependent} self={self} now={now} />
    </>
  );
}
