const HEADINGS =
  "[&_:is(h2,h3,h4,h5,h6)]:font-semibold [&_h2]:text-title [&_:is(h2,h3,h4,h5,h6):not(:first-child)]:mt-2";
const LISTS =
  "[&_:is(ul,ol)]:grid [&_:is(ul,ol)]:gap-1 [&_:is(ul,ol)]:ps-6 [&_ul]:list-disc [&_ol]:list-decimal";
const CODE =
  "[&_:is(code,kbd,samp,tt)]:font-mono [&_:is(code,kbd,samp,tt)]:text-small [&_:not(pre)>:is(code,kbd)]:rounded [&_:not(pre)>:is(code,kbd)]:bg-ground [&_:not(pre)>:is(code,kbd)]:px-1 [&_pre]:overflow-hidden [&_pre]:whitespace-pre-wrap [&_pre]:rounded-card [&_pre]:border [&_pre]:border-line [&_pre]:bg-ground [&_pre]:p-3 [&_pre]:[tab-size:4]";
const QUOTES =
  "[&_blockquote]:grid [&_blockquote]:gap-3 [&_blockquote]:border-line [&_blockquote]:border-s-4 [&_blockquote]:ps-4 [&_blockquote]:text-muted";
const TABLES =
  "[&_[data-table]]:overflow-x-auto [&_:is(th,td)]:border [&_:is(th,td)]:border-line [&_:is(th,td)]:px-3 [&_:is(th,td)]:py-1.5 [&_:is(th,td)]:text-start [&_table]:border-collapse [&_table]:[overflow-wrap:break-word]";
const REST =
  "[&_hr]:border-line [&_img]:inline-block [&_img]:h-auto [&_img]:max-w-full [&_summary]:cursor-pointer [&_dt]:font-semibold [&_dd]:ps-4";

/**
 * A text that an author wrote in Markdown. @param html the result of `renderMarkdown`, which is safe to
 * insert into a page.
 */
export const Markdown = ({ html }: { readonly html: string }) => (
  <div
    className={`grid min-w-0 gap-3 wrap-anywhere [&>*]:min-w-0 ${HEADINGS} ${LISTS} ${CODE} ${QUOTES} ${TABLES} ${REST}`}
    // biome-ignore lint/security/noDangerouslySetInnerHtml: renderMarkdown has sanitized the HTML.
    dangerouslySetInnerHTML={{ __html: html }}
  />
);
