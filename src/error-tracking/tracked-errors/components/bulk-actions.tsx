import { urlWithQuery } from "@/kernel/http/query";
import { changeStatuses } from "../actions";
import type { loadErrors } from "../loaders";
import { parametersOf } from "../schema";
import { SelectAll } from "./select-all";
import { StatusButtons } from "./status-buttons";

type Page = Awaited<ReturnType<typeof loadErrors>>;

/** The id of the form to which the checkboxes of the list belong. */
export const BULK_FORM = "selected-errors";

/**
 * The buttons that change the status of the selected tracked errors, and a link to the page that changes all
 * matching tracked errors. The hidden form fields contain the filters of the list.
 */
export function BulkActions({
  projectId,
  search,
  total,
  home,
}: Pick<Page, "projectId" | "search" | "total" | "home">) {
  const hidden = { project: String(projectId), ...parametersOf(search) };
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <SelectAll form={BULK_FORM} name="error" label="Select all on this page" />
      <form id={BULK_FORM} action={changeStatuses} className="flex flex-wrap items-center gap-2">
        {Object.entries(hidden).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <span className="text-small text-muted">Selected errors:</span>
        <StatusButtons size="small" />
      </form>
      {total > 1 ? (
        <a href={urlWithQuery(`${home}/change_all`, parametersOf(search))} className="ml-auto text-small">
          Change all {total.toLocaleString("en")} errors
        </a>
      ) : null}
    </div>
  );
}
