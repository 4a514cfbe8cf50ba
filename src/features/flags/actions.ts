"use server";

import { redirect } from "next/navigation";
import { systemDeps } from "@/platform/deps";
import { setFlash } from "../appearance/flash";
import { adminAction } from "../sign-in/loaders";
import { isFlag } from "./catalog";
import { FLAGS_PAGE } from "./loaders";
import { resetFlag, setFlag } from "./service";

/** Switches a flag: the form says which, and whether `on`, `off` or back to its `default`. */
export const switchFlag = adminAction(
  () => FLAGS_PAGE,
  async ({ user }, form) => {
    const name = String(form.get("name"));
    const to = form.get("to");
    if (isFlag(name) && (to === "on" || to === "off" || to === "default")) {
      if (to === "default") await resetFlag(systemDeps(), name, user);
      else await setFlag(systemDeps(), name, to === "on", user);
      await setFlash(to === "default" ? `${name} has its default again.` : `${name} is ${to} now.`);
    }
    redirect(FLAGS_PAGE);
  },
);
