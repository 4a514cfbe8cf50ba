import { redirect } from "next/navigation";
import { requireAdmin } from "@/identity/sessions/loaders";

export default async function AdminPage() {
  await requireAdmin("/admin");
  redirect("/admin/users");
}
