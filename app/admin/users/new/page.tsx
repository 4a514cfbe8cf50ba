import type { Metadata } from "next";
import { createPerson } from "@/features/administration/actions";
import { PersonForm } from "@/features/administration/components/person-form";
import { requireAdmin } from "@/features/sign-in/loaders";
import { PageHead } from "@/ui/page-shell";

export const metadata: Metadata = { title: "Create a user" };

export default async function NewUserPage() {
  await requireAdmin("/admin/users/new");
  return (
    <>
      <PageHead title="Create a user" />
      <PersonForm action={createPerson} />
    </>
  );
}
