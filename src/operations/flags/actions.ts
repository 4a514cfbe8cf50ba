"use server";

import { redirect } from "next/navigation";
import { adminAction } from "@/identity/sessions/loaders";
import { isFlag } from "@/instance/flags/catalog";
import { resetFlag, setFlag } from "@/instance/flags/service";
import { systemDeps } from "@/kernel/deps/deps";
import { setFlash } from "@/ui/appearance/flash";
import { FLAGS_PAGE } from "./loaders";

/** Changes a feature flag: the form contains the name of the flag and `on`, `off` or `default`. */
export const switchFlag = adminAction(
  () => FLAGS_PAGE,
  async ({ user }, form) => {
    const name = String(form.get("name"));
    const to = form.get("to");
    if (isFlag(name) && (to === "on" || to === "off" || to === "default")) {
      if (to === "default") await resetFlag(systemDeps(), name, user);
      else await setFlag(systemDeps(), name, to === "on", user);
      await setFlash(to === "default" ? `${name} is reset to its default.` : `${name} is ${to} now.`);
    }
    redirect(FLAGS_PAGE);
  },
);
