import { z } from "zod";
import type { Deps } from "@/kernel/deps/deps";
import type { Cursor, Page, Paging } from "@/kernel/paging/paging";
import type { Declaration } from "./declaration";
import { ApiError } from "./errors";
import { text, whole } from "./fields";
import { TOKEN_PARAMETERS } from "./presented-token";

const PER_PAGE = 20;
const PER_PAGE_MAX = 100;

/**
 * The maximum offset of a page that is requested by number. A page with a larger offset would be too slow.
 * Keyset pagination has no maximum offset.
 */
const OFFSET_MAX = 50_000;

/** The paging parameters, which every list has in addition to its own parameters. */
export const pagingFields = z.object({
  page: whole.pipe(z.int().min(1)).default(1).describe("The number of the page."),
  per_page: whole
    .pipe(z.int().min(1))
    .default(PER_PAGE)
    .describe(`The number of items per page; at most ${PER_PAGE_MAX}.`),
  pagination: z
    // The value `offset` has the same meaning as the value `legacy`, which GitLab clients send.
    .enum(["keyset", "legacy", "offset"])
    .default("legacy")
    .describe(
      "With keyset pagination, every page takes the same time, regardless of the length of the list. The header Link contains the URL of the next page.",
    ),
  sort: z.enum(["asc", "desc"]).optional().describe("With keyset pagination: the sort order of the ids."),
  cursor: text(32)
    .optional()
    .describe("With keyset pagination: the position of the page. Use the value in the header Link."),
});

const numberFields = pagingFields.pick({ page: true, per_page: true, pagination: true });

/**
 * The rows of lists from Git have no ids, so a page token identifies the last row of the previous page.
 */
export const tokenFields = numberFields.extend({
  page_token: text(8_192)
    .optional()
    .describe("With keyset pagination: the position of the page. Use the value in the header Link."),
});

/** Returns the paging parameters that a list accepts. */
export function pagingFieldsOf({ pagedBy }: Pick<Declaration, "pagedBy">) {
  if (pagedBy === undefined) return pagingFields;
  return pagedBy === "number" ? numberFields : tokenFields;
}

/** Returns the error that refuses keyset pagination. GitLab defines the text of this error. */
export const noKeyset = (): ApiError =>
  new ApiError(405, { error: "Keyset pagination is not yet available for this type of request" });

/**
 * Returns the requested page of a list. A `per_page` above the maximum counts as the maximum.
 * @throws ApiError 405 for a page number above the maximum, as in the GitLab API, and 400 for a cursor that
 * this server did not create.
 */
export function readPaging(
  input: z.infer<typeof numberFields> &
    Partial<z.infer<typeof pagingFields>> &
    Partial<z.infer<typeof tokenFields>>,
): Paging {
  const perPage = Math.min(input.per_page, PER_PAGE_MAX);
  if (input.pagination === "keyset")
    return {
      kind: "keyset",
      perPage,
      cursor: readCursor(input.cursor),
      descending: input.sort !== "asc",
      pageToken: input.page_token || null,
    };
  if (input.page * perPage > OFFSET_MAX + perPage)
    throw new ApiError(405, {
      error: `Offset pagination has a maximum allowed offset of ${OFFSET_MAX}. Remaining records can be retrieved using keyset pagination.`,
    });
  return { kind: "offset", page: input.page, perPage };
}

function readCursor(text: string | undefined): Cursor<number> | null {
  if (text === undefined || text === "") return null;
  if (/^[1-9]\d{0,9}$/.test(text)) return { direction: "next", key: Number(text) };
  throw new ApiError(400, { error: "cursor is invalid" });
}

/**
 * Returns the pagination headers of a list (section "Pagination" in the documentation of the GitLab API; RFC
 * 8288 for `Link`).
 */
export function pagingHeaders(
  { config }: Pick<Deps, "config">,
  request: Request,
  paging: Paging,
  page: Page<unknown>,
): Record<string, string> {
  const pageUrl = addresses(config.issuer, request, paging.perPage);
  if (paging.kind === "keyset") {
    if (page.nextToken) return { link: link("next", pageUrl({ page_token: page.nextToken })) };
    return page.next === null ? {} : { link: link("next", pageUrl({ cursor: String(page.next) })) };
  }
  const pages = page.total === null ? null : Math.max(1, Math.ceil(page.total / paging.perPage));
  const full = page.rows.length === paging.perPage;
  const more = pages === null ? full : paging.page < pages;
  const numbered = (rel: string, number: number) => link(rel, pageUrl({ page: String(number) }));
  const links = [
    ...(paging.page > 1 ? [numbered("prev", paging.page - 1)] : []),
    ...(more ? [numbered("next", paging.page + 1)] : []),
    numbered("first", 1),
    ...(pages === null ? [] : [numbered("last", pages)]),
  ];
  return {
    link: links.join(", "),
    "x-page": String(paging.page),
    "x-per-page": String(paging.perPage),
    "x-prev-page": paging.page > 1 ? String(paging.page - 1) : "",
    "x-next-page": more ? String(paging.page + 1) : "",
    ...(pages === null ? {} : { "x-total": String(page.total), "x-total-pages": String(pages) }),
  };
}

const link = (rel: string, url: string): string => `<${url}>; rel="${rel}"`;

/**
 * Returns a function that builds the URLs of other pages. Such a URL is the URL of the request without the
 * access token, and with the paging parameters of the other page. The origin of the URLs is the public URL of
 * the instance, never the `Host` of the request.
 */
function addresses(issuer: string, request: Request, perPage: number) {
  const { pathname, searchParams } = new URL(request.url);
  for (const name of TOKEN_PARAMETERS) searchParams.delete(name);
  return (changes: Readonly<Record<string, string>>): string => {
    const query = new URLSearchParams(searchParams);
    for (const [name, value] of Object.entries({ ...changes, per_page: String(perPage) }))
      query.set(name, value);
    return `${issuer}${pathname}?${query}`;
  };
}
