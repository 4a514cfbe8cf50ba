import type { ReactNode } from "react";
import { StaticMarkup } from "./static-markup";

export type Column = Readonly<{
  name: string /** A heading for screen readers that is not visible, for a column of buttons or links. */;
  silent?: boolean;
}>;
export type TableRow = Readonly<{ key: string | number; cells: readonly ReactNode[] }>;

/**
 * A table. On a phone, the first cell of a row has its own line, and the other cells follow with their
 * labels. The elements have explicit ARIA roles, because screen readers do not recognize a table whose
 * elements are displayed as blocks.
 */
export function Table(props: {
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly TableRow[];
  /**
   * Whether a script refreshes the table while the user reads the table. React then changes only single
   * elements, so that the fields and the focus in the table stay as they are.
   */
  readonly isRefreshed?: boolean;
}) {
  const table = (
    <div className="overflow-hidden rounded-card border border-line bg-panel">
      {/* biome-ignore-start lint/a11y/noRedundantRoles: laid out as blocks, the elements lose these roles. */}
      <table role="table" className="block w-full text-left md:table">
        <caption className="sr-only">{props.caption}</caption>
        <thead role="rowgroup" className="sr-only md:not-sr-only md:table-header-group">
          <tr role="row" className="md:table-row">
            {props.columns.map((column) => (
              <th
                key={column.name}
                role="columnheader"
                scope="col"
                className="px-4 py-2.5 text-small font-semibold whitespace-nowrap text-muted"
              >
                {column.silent ? <span className="sr-only">{column.name}</span> : column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="block md:table-row-group">
          {props.rows.map((row) => (
            <tr
              key={row.key}
              role="row"
              className="flex flex-wrap items-baseline gap-x-5 gap-y-1.5 border-line border-t px-4 py-3 first:border-t-0 md:table-row md:px-0"
            >
              {props.columns.map((column, at) => (
                <td
                  key={column.name}
                  role="cell"
                  className="flex min-w-0 max-w-full items-baseline gap-2 break-words max-md:first:block max-md:first:w-full md:table-cell md:h-10 md:border-line md:border-t md:px-4 md:py-0.5 md:align-middle md:leading-5"
                >
                  {at === 0 || column.silent ? null : (
                    <span aria-hidden="true" className="shrink-0 text-small text-muted md:hidden">
                      {column.name}
                    </span>
                  )}
                  {row.cells[at]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see above. */}
    </div>
  );
  return props.isRefreshed ? table : <StaticMarkup>{table}</StaticMarkup>;
}
