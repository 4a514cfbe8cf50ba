import { Fragment } from "react";

/** Shows a URL path, which breaks into lines before a slash, and not in the middle of a word. */
export const Path = ({ path }: { readonly path: string }) =>
  path.split(/(?=\/)/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a path may contain a part twice, and its parts do not change.
    <Fragment key={at}>
      {at === 0 ? null : <wbr />}
      {part}
    </Fragment>
  ));
