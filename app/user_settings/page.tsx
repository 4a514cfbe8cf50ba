import { redirect } from "next/navigation";

export default function SettingsPage() {
  redirect("/user_settings/profile");
}
