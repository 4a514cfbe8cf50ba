/**
 * Enables the buttons that show and hide a password. The attribute `data-shows` of a button contains the id
 * of the password field. The function runs in the browser. Without the script, the buttons stay hidden.
 */
export function enablePasswordToggles(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-shows]")) {
    const field = document.getElementById(button.dataset["shows"] ?? "");
    if (!(field instanceof HTMLInputElement)) continue;
    button.hidden = false;
    button.addEventListener("click", () => {
      const isShown = field.type === "text";
      field.type = isShown ? "password" : "text";
      button.setAttribute("aria-pressed", String(!isShown));
    });
    // The field becomes a password field again before the form is submitted, because browsers store the
    // values of text fields for autocompletion.
    field.form?.addEventListener("submit", () => {
      field.type = "password";
    });
  }
}
