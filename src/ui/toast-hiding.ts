/**
 * Hides the message about the last action as soon as the user submits a form. The message would otherwise be next to the
 * result of this form, and could contradict the result.
 */
export function hideToastsOnSubmit(): void {
  document.addEventListener("submit", () => {
    for (const toast of document.querySelectorAll<HTMLElement>(".toast")) toast.hidden = true;
  });
}
