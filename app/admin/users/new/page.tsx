import type { Metadata } from "next";
import { createPerson } from "@/features/administration/actions";
import { PersonForm } from "@/features/administration/components/person-form";
import { loadNewPerson } from "@/features/administration/loaders";
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
