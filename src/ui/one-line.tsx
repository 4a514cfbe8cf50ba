import type { ReactNode } from "react";

/**
 * A text of any length on one line. On wide screens, the browser cuts off a long text with an ellipsis, and
 * shows the complete text when the pointer is on the text. On a phone, the text wraps. In a table, the column
 * of the text needs a width.
 * @param props.text the complete text.
 * @param props.children the text with links and other elements; by default, `text` with its own direction.
 */
export function OneLine(props: {
  readonly text: string;
  readonly className?: string;
  readonly children?: ReactNode;
}) {
  const { text, children, className = "" } = props;
  const Line = children === undefined ? "bdi" : "span";
  return (
    <Line title={text} className={`one-line ${className}`}>
      {children ?? text}
    </Line>
  );
}
