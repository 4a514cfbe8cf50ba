import type { ReactNode } from "react";
import { StaticMarkup } from "./static-markup";

export type Column = Readonly<{
  name: string;
  /** A heading for screen readers that is not visible, for a column of buttons or links. */
  silent?: boolean;
  /**
   * The width of a column of texts, which does not depend on the texts, so that `OneLine` cuts off long texts.
   * Every other column is as wide as its widest cell.
   */
  width?: ColumnWidth;
}>;
type ColumnWidth = "rest" | "half" | "third" | "quarter";
export type TableRow = Readonly<{ key: string | number; cells: readonly ReactNode[] }>;

const WIDTHS: Readonly<Record<ColumnWidth, string>> = {
  rest: "lg:w-full lg:max-w-0",
  half: "lg:w-1/2 lg:max-w-0",
  third: "lg:w-1/3 lg:max-w-0",
  quarter: "lg:w-1/4 lg:max-w-0",
};

/**
 * A table. On narrow screens, the first cell of a row has its own line, and the other cells follow with their
 * labels. The elements have explicit ARIA roles, because screen readers do not recognize a table whose
 * elements are displayed as blocks.
 */
export function Table(props: {
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly TableRow[];
  /**
   * Whether a script refreshes the table while the user reads the table. React then changes only single
   * elements of the first cell of a row, so that the fields and the focus in this cell stay as they are. The
   * other cells have no fields and no links.
   */
  readonly isRefreshed?: boolean;
}) {
  const { isRefreshed = false } = props;
  const cellOf = (row: TableRow, column: Column, at: number) => (
    <td
      key={column.name}
      // biome-ignore lint/a11y/noRedundantRoles: laid out as a block, the element loses this role.
      role="cell"
      className={`flex min-w-0 max-w-full items-baseline gap-2 break-words max-lg:first:block max-lg:first:w-full lg:table-cell lg:h-10 lg:border-line lg:border-t lg:px-4 lg:py-0.5 lg:align-middle lg:leading-5 ${
        column.width === undefined ? "lg:whitespace-nowrap" : WIDTHS[column.width]
      }`}
    >
      {at === 0 || column.silent ? null : (
        <span aria-hidden="true" className="shrink-0 text-small text-muted lg:hidden">
          {column.name}
        </span>
      )}
      {row.cells[at]}
    </td>
  );
  const table = (
    <div className="overflow-hidden rounded-card border border-line bg-panel">
      {/* biome-ignore-start lint/a11y/noRedundantRoles: laid out as blocks, the elements lose these roles. */}
      <table role="table" className="block w-full text-left lg:table">
        <caption className="sr-only">{props.caption}</caption>
        <StaticMarkup>
          <thead role="rowgroup" className="sr-only lg:not-sr-only lg:table-header-group">
            <tr role="row" className="lg:table-row">
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
        </StaticMarkup>
        <tbody role="rowgroup" className="block lg:table-row-group">
          {props.rows.map((row) => (
            <tr
              key={row.key}
              role="row"
              className="flex flex-wrap items-baseline gap-x-5 gap-y-1.5 border-line border-t px-4 py-3 first:border-t-0 lg:table-row lg:px-0"
            >
              {props.columns.map((column, at) => {
                const cell = cellOf(row, column, at);
                return isRefreshed && at > 0 ? <StaticMarkup key={column.name}>{cell}</StaticMarkup> : cell;
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see above. */}
    </div>
  );
  return isRefreshed ? table : <StaticMarkup>{table}</StaticMarkup>;
}
