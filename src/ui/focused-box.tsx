"use client";

import type { HTMLAttributes } from "react";

/**
 * A box that gets the focus when the result of a form appears in it. When the browser loads a new document,
 * it moves the focus to the box even without JavaScript.
 */
export const FocusedBox = (props: HTMLAttributes<HTMLDivElement>) => (
  // biome-ignore lint/a11y/noAutofocus: the box is the answer to the form that the user has just sent.
  <div {...props} ref={focus} tabIndex={-1} autoFocus />
);

/**
 * Moves the focus to the box. If the form is in a dialog, the dialog is closed first, because the box outside
 * of the dialog is inert while the dialog is open. In a new document, the attribute `autofocus` has already moved
 * the focus. If the user has then moved the focus to another element before hydration, the focus stays there.
 */
function focus(box: HTMLDivElement | null): void {
  if (box === null) return;
  if (box.hasAttribute("autofocus") && document.activeElement !== document.body) return;
  document.querySelector<HTMLDialogElement>("dialog:modal")?.close();
  box.focus();
}
