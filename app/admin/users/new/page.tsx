import type { Metadata } from "next";
import { createPerson } from "@/operations/administration/actions";
import { PersonForm } from "@/operations/administration/components/person-form";
import { loadNewPerson } from "@/operations/administration/loaders";
import { PageHead } from "@/ui/page-shell";

export const metadata: Metadata = { title: "Create a user" };

export default async function NewUserPage() {
  const held = await loadNewPerson();
  return (
    <>
      <PageHead title="Create a user" />
      <PersonForm action={createPerson} held={held} />
    </>
  );
}
