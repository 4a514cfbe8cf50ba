import { notFound } from "next/navigation";
import { systemDeps } from "@/platform/deps";
import { requireSession } from "../sign-in/loaders";
import type { Application } from "./rules";
import * as applications from "./service";

const HOME = "/user_settings/applications";

/** The signed-in person's applications. */
export async function loadApplications(): Promise<readonly Application[]> {
  const { user } = await requireSession(HOME);
  return applications.listOwn(systemDeps(), user);
}

/** Whether the signed-in person may register an application. */
export async function loadRegistrationIsOpen(): Promise<boolean> {
  await requireSession(`${HOME}/new`);
  return applications.registrationIsOpen(systemDeps());
}

/** One of the signed-in person's applications; for anything else the page does not exist. */
export async function loadApplication(id: string): Promise<Application> {
  const { user } = await requireSession(`${HOME}/${encodeURIComponent(id)}`);
  const application = /^[1-9]\d{0,8}$/.test(id)
    ? await applications.findOwn(systemDeps(), user, Number(id))
    : null;
  return application ?? notFound();
}
