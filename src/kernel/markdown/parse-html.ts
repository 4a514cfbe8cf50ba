import type { Nodes } from "hast";
import { fromParse5 } from "hast-util-from-parse5";
import { type DefaultTreeAdapterMap, defaultTreeAdapter, parseFragment, type TreeAdapter } from "parse5";

/** The maximum number of elements, attributes, texts and comments that the parser creates for one text. */
export const NODES_MAX = 50_000;

/** The maximum number of open elements at one time. The HTML parser of Chromium has the same limit. */
export const DEPTH_MAX = 512;

/**
 * Parses HTML that can be the content of any element of a page. With the parsing rules of the HTML standard, a
 * short text can become a large tree: in each new paragraph, the parser repeats all open formatting elements
 * with their attributes ("reconstruct the active formatting elements"). The duration of parsing also depends on the
 * number of open elements. The function therefore limits the size of the tree and the number of open
 * elements.
 * @throws RangeError if the tree exceeds a limit.
 */
export const parseHtml = (html: string): Nodes =>
  fromParse5(parseFragment(html, { treeAdapter: limitedAdapter(), scriptingEnabled: false }));

function limitedAdapter(): TreeAdapter<DefaultTreeAdapterMap> {
  let nodes = 0;
  let depth = 0;
  const count = (more: number): void => {
    nodes += more;
    if (nodes > NODES_MAX) throw new RangeError(`The HTML has more than ${NODES_MAX} nodes.`);
  };
  return {
    ...defaultTreeAdapter,
    createElement: (tagName, namespace, attributes) => {
      count(1 + attributes.length);
      return defaultTreeAdapter.createElement(tagName, namespace, attributes);
    },
    createCommentNode: (text) => {
      count(1);
      return defaultTreeAdapter.createCommentNode(text);
    },
    insertText: (parent, text) => {
      count(1);
      defaultTreeAdapter.insertText(parent, text);
    },
    insertTextBefore: (parent, text, reference) => {
      count(1);
      defaultTreeAdapter.insertTextBefore(parent, text, reference);
    },
    onItemPush: () => {
      depth++;
      if (depth > DEPTH_MAX) throw new RangeError(`The HTML has more than ${DEPTH_MAX} nested elements.`);
    },
    onItemPop: () => {
      depth--;
    },
  };
}
