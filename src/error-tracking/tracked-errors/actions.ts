"use server";

import { redirect } from "next/navigation";
import { systemDeps } from "@/kernel/deps/deps";
import { readId, readReference } from "@/kernel/paging/keyset";
import { setFlash } from "@/ui/appearance/flash";
import { PROJECTS, requireProject } from "@/workspace/projects/loaders";
import { errorsPath, LEAST_TO_DECIDE } from "./loaders";
import type { ErrorStatus } from "./rules";
import { readStatus } from "./schema";
import { setErrorStatus } from "./service";

const DONE: Readonly<Record<ErrorStatus, string>> = {
  resolved: "Resolved. It is unresolved again when it is seen again.",
  ignored: "Ignored. It is counted, and does not come back to the list.",
  unresolved: "Unresolved again.",
};

export async function changeStatus(form: FormData): Promise<void> {
  const { project } = await requireProject(readReference(form, "project"), errorsPath, LEAST_TO_DECIDE);
  const errorId = readId(readReference(form, "error")) ?? 0;
  const status = readStatus(form);
  const home = errorsPath(`${PROJECTS}/${project.id}`);
  if (status === null) redirect(home);
  const changed = await setErrorStatus(systemDeps(), project, errorId, status);
  if (changed === null) redirect(home);
  await setFlash(DONE[status]);
  redirect(`${home}/${errorId}`);
}
