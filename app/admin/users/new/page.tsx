import type { Metadata } from "next";
import { createUser } from "@/operations/administration/actions";
import { UserForm } from "@/operations/administration/components/user-form";
import { loadNewUser } from "@/operations/administration/loaders";
import { PageHead } from "@/ui/page-shell";

export const metadata: Metadata = { title: "Create a user" };

export default async function NewUserPage() {
  const held = await loadNewUser();
  return (
    <>
      <PageHead title="Create a user" />
      <UserForm action={createUser} held={held} />
    </>
  );
}
