import { redirect } from "next/navigation";
import { requireAdmin } from "@/features/sign-in/loaders";

export default async function AdminPage() {
  await requireAdmin("/admin");
  redirect("/admin/users");
}
