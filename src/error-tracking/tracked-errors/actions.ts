"use server";

import { redirect } from "next/navigation";
import { systemDeps } from "@/kernel/deps/deps";
import { readId, readReference } from "@/kernel/paging/keyset";
import { setFlash } from "@/ui/appearance/flash";
import { PROJECTS, requireProject } from "@/workspace/projects/loaders";
import { errorsPath, LEAST_TO_CHANGE_STATUS } from "./loaders";
import type { ErrorStatus } from "./rules";
import { readStatus } from "./schema";
import { setErrorStatus } from "./service";

const DONE: Readonly<Record<ErrorStatus, string>> = {
  resolved: "The error is resolved. It becomes unresolved if it occurs again.",
  ignored: "The error is ignored. New events are counted but do not reopen it.",
  unresolved: "The error is unresolved.",
};

export async function changeStatus(form: FormData): Promise<void> {
  const { project } = await requireProject(
    readReference(form, "project"),
    errorsPath,
    LEAST_TO_CHANGE_STATUS,
  );
  const errorId = readId(readReference(form, "error")) ?? 0;
  const status = readStatus(form);
  const home = errorsPath(`${PROJECTS}/${project.id}`);
  if (status === null) redirect(home);
  const changed = await setErrorStatus(systemDeps(), project, errorId, status);
  if (changed === null) redirect(home);
  await setFlash(DONE[status]);
  redirect(`${home}/${errorId}`);
}
