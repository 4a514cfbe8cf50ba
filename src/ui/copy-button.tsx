"use client";

import { createContext, useContext, useState } from "react";
import { Button } from "./button";
import { copyText } from "./copy-text";

/** The function that copy buttons call with the text after the browser has copied the text. */
export const CopyListener = createContext<(text: string) => void>(() => undefined);

const RESULTS = {
  copied: { label: "Copied", status: "The text is copied." },
  selected: {
    label: "Text selected",
    status: "The browser did not copy the text. The text is selected, so that you can copy it.",
  },
} as const;

/**
 * A button that copies a text. If the browser does not copy the text, the button selects the element that
 * shows the text.
 * @param props.sourceId the id of the element that shows the text.
 */
export function CopyButton(props: {
  readonly text: string;
  readonly label: string;
  readonly sourceId: string;
  readonly size?: "small";
}) {
  const { text, label, sourceId } = props;
  const [result, setResult] = useState<keyof typeof RESULTS | null>(null);
  const onCopied = useContext(CopyListener);
  const copy = async () => {
    if (await copyText(text, () => selectContent(sourceId))) {
      onCopied(text);
      setResult("copied");
      setTimeout(() => setResult(null), 2000);
    } else setResult("selected");
  };
  return (
    <>
      <Button type="button" size={props.size} onClick={copy} aria-label={label}>
        {result === null ? "Copy" : RESULTS[result].label}
      </Button>
      <span role="status" className="sr-only">
        {result === null ? "" : RESULTS[result].status}
      </span>
    </>
  );
}

function selectContent(id: string): void {
  const element = document.getElementById(id);
  if (element instanceof HTMLInputElement) {
    element.focus();
    element.select();
  } else if (element !== null) document.getSelection()?.selectAllChildren(element);
}
