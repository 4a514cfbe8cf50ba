"use server";

import { redirect } from "next/navigation";
import { systemDeps } from "@/kernel/deps/deps";
import { readId, readReference, urlWithQuery } from "@/kernel/http/query";
import { setFlash } from "@/ui/appearance/flash";
import { PROJECTS, requireProject } from "@/workspace/projects/loaders";
import { setMatchingStatuses } from "./change-all";
import { errorsPath } from "./loaders";
import { type ErrorStatus, LEAST_TO_CHANGE_STATUS } from "./rules";
import { filterOf, parametersOf, readErrorSearch, readSelection, readStatus } from "./schema";
import { setErrorStatus, setErrorStatuses } from "./service";

const DONE: Readonly<Record<ErrorStatus, string>> = {
  resolved: "The error is resolved. The error becomes unresolved if it occurs again.",
  ignored: "The error is ignored. New events are counted but do not reopen the error.",
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

const CHANGED: Readonly<Record<ErrorStatus, string>> = {
  resolved: "resolved",
  ignored: "ignored",
  unresolved: "reopened",
};

/**
 * Changes the status of all tracked errors that match the filters, and redirects to the list with the same
 * filters.
 */
export async function changeMatchingStatuses(form: FormData): Promise<void> {
  const { project } = await requireProject(
    readReference(form, "project"),
    errorsPath,
    LEAST_TO_CHANGE_STATUS,
  );
  const { status, filters, shownAt } = readSelection(form);
  const search = readErrorSearch(filters);
  if (status !== null && shownAt !== null) {
    const change = { status, firstSeenUntil: shownAt };
    const count = await setMatchingStatuses(systemDeps(), project, filterOf(search), change);
    await setFlash(
      `${count === 1 ? "1 error was" : `${count.toLocaleString("en")} errors were`} ${CHANGED[status]}.`,
    );
  }
  redirect(urlWithQuery(errorsPath(`${PROJECTS}/${project.id}`), parametersOf(search)));
}

/**
 * Changes the status of the tracked errors that are selected in the list, and redirects to the list with the
 * same filters.
 */
export async function changeStatuses(form: FormData): Promise<void> {
  const { project } = await requireProject(
    readReference(form, "project"),
    errorsPath,
    LEAST_TO_CHANGE_STATUS,
  );
  const { errorIds, status, filters } = readSelection(form);
  if (status !== null) {
    const count = await setErrorStatuses(systemDeps(), project, errorIds, status);
    const label = count === 1 ? "1 error was" : `${count} errors were`;
    await setFlash(
      errorIds.length === 0 ? "Nothing was changed. Select errors first." : `${label} ${CHANGED[status]}.`,
    );
  }
  const home = errorsPath(`${PROJECTS}/${project.id}`);
  redirect(urlWithQuery(home, parametersOf(readErrorSearch(filters))));
}
