import { redirect } from "next/navigation";
import { requireSession } from "@/features/sign-in/loaders";

export default async function HomePage() {
  await requireSession("/");
  redirect("/user_settings/applications");
}
