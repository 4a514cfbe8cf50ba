import { type Chapter, chapterPath } from "@/http-api/reference";
import { Path } from "./path";

/**
 * The resources of the API with their endpoints. Each endpoint keeps the anchor that it had when the API
 * reference was a single page. The styles of the endpoints are set once on the list element, because the page
 * has hundreds of endpoints.
 */
export const ChapterList = ({ chapters }: { readonly chapters: readonly Chapter[] }) => (
  <div className="grid min-w-0 gap-6 [&_code]:font-mono [&_code]:text-small [&_code]:wrap-anywhere [&_li:target]:bg-soft [&_li>a]:block [&_li>a]:px-3 [&_li>a]:py-2 [&_li>a]:text-ink [&_li>a]:no-underline [&_li]:hover:bg-soft [&_span]:block [&_span]:text-small [&_span]:text-muted [&_ul]:divide-y [&_ul]:divide-line [&_ul]:overflow-hidden [&_ul]:rounded-group [&_ul]:border [&_ul]:border-line [&_ul]:bg-panel">
    {chapters.map((chapter) => (
      <section key={chapter.anchor} aria-labelledby={chapter.anchor} className="grid min-w-0 gap-2">
        <h2 id={chapter.anchor} className="font-semibold">
          <a href={chapterPath(chapter)}>{chapter.name}</a>
        </h2>
        <ul>
          {chapter.entries.map(({ anchor, method, path, summary }) => (
            <li key={anchor} id={anchor}>
              <a href={`${chapterPath(chapter)}#${anchor}`}>
                <code>
                  {method} <Path path={path} />
                </code>
                <span>{summary}</span>
              </a>
            </li>
          ))}
        </ul>
      </section>
    ))}
  </div>
);
