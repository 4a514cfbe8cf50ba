import { z } from "zod";
import { SORTS, STATUSES } from "@/error-tracking/tracked-errors/rules";
import * as errors from "@/error-tracking/tracked-errors/service";
import { notFound } from "@/http-api/errors";
import { id, text } from "@/http-api/fields";
import type { Deps } from "@/kernel/deps/deps";
import { type Page, type Paging, partOf } from "@/kernel/paging/paging";
import type { InProject } from "@/workspace/api/access-rules";
import type { ErrorOf } from "./entities/tracked-error";

/** The filters and the sort order for a list of tracked errors. */
export const errorSearch = z.object({
  status: z
    .enum([...STATUSES, "all"])
    .default("unresolved")
    .describe("Return only tracked errors with this status."),
  environment: text(100).optional().describe("Return only tracked errors that occurred in this environment."),
  query: text(255)
    .optional()
    .describe("Return only tracked errors whose name, message or culprit contains this text."),
  sort: z
    .enum(SORTS)
    .default("last_seen")
    .describe("Sort by last occurrence, first occurrence, or number of events."),
});

/** Returns a page of the tracked errors of a project. */
export async function listErrors(
  deps: Deps,
  { project }: InProject,
  { status, environment, query, sort }: z.infer<typeof errorSearch>,
  paging: Paging,
): Promise<Page<ErrorOf<errors.TrackedError>>> {
  const filter = {
    status: status === "all" ? null : status,
    environment: environment ?? null,
    query: query ?? null,
    sort,
    page: paging.kind === "offset" ? paging.page : 1,
    perPage: paging.perPage,
  };
  const result = await errors.listErrors(deps, project, filter);
  return { rows: result.errors.map((error) => ({ project, error })), total: result.total, next: null };
}

export const errorReference = z.object({ error_id: id });

type Details = ErrorOf<errors.ErrorDetails> & Readonly<{ frequency: readonly errors.Point[] }>;

/**
 * Returns a tracked error with its details.
 * @throws ApiError 404 if the project has no tracked error with this id.
 */
export async function readError(
  deps: Deps,
  caller: InProject,
  { error_id }: z.infer<typeof errorReference>,
): Promise<Details> {
  return detailsOf(deps, caller, await errors.findTrackedError(deps, caller.project, error_id));
}

export const errorChange = errorReference.extend({ status: z.enum(STATUSES) });

/**
 * Changes the status of a tracked error and returns the error.
 * @throws ApiError 404 if the project has no tracked error with this id.
 */
export async function changeError(
  deps: Deps,
  caller: InProject,
  { error_id, status }: z.infer<typeof errorChange>,
): Promise<Details> {
  return detailsOf(deps, caller, await errors.setErrorStatus(deps, caller.project, error_id, status));
}

async function detailsOf(
  deps: Deps,
  { project }: InProject,
  error: errors.ErrorDetails | null,
): Promise<Details> {
  if (error === null) throw notFound("Error");
  const counts = await errors.countsOverTime(deps, project, [error.id], "24h");
  return { project, error, frequency: counts.get(error.id) ?? [] };
}

/**
 * Returns the stored events of a tracked error, newest first.
 * @throws ApiError 404 if the project has no tracked error with this id.
 */
export async function listEvents(
  deps: Deps,
  { project }: InProject,
  { error_id }: z.infer<typeof errorReference>,
  paging: Paging,
): Promise<Page<errors.StoredEvent>> {
  const events = await errors.errorEvents(deps, project, error_id);
  if (events === null) throw notFound("Error");
  return partOf(events, paging);
}
