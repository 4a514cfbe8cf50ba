import type { Metadata } from "next";
import { PersonDetails } from "@/operations/administration/components/person-details";
import { loadPerson } from "@/operations/administration/loaders";
import { PageHead } from "@/ui/page-shell";

export const metadata: Metadata = { title: "User" };

export default async function UserPage({ params }: { readonly params: Promise<{ readonly id: string }> }) {
  const { person, dependent, self, now } = await loadPerson((await params).id);
  return (
    <>
      <PageHead title={person.name} />
      <PersonDetails person={person} dependent={dependent} self={self} now={now} />
    </>
  );
}
