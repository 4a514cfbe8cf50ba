import {
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
} from "@simplewebauthn/browser";

const NOT_USED = "The passkey was not used. Try again, or use another method.";

/**
 * Enables the passkey forms of the page (`components/passkey-button.tsx`). The function runs in the browser.
 */
export function enablePasskeyForms(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-passkey]")) enable(form);
}

function enable(form: HTMLFormElement): void {
  const button = form.querySelector("button");
  const status = form.querySelector("[role=status]");
  const field = form.querySelector<HTMLInputElement>("[name=credential]");
  if (button === null || status === null || field === null) return;
  const optionsJSON: PublicKeyCredentialRequestOptionsJSON = JSON.parse(form.dataset["passkey"] ?? "");
  const post = (credential: unknown): void => {
    field.value = JSON.stringify(credential);
    form.submit();
  };
  button.disabled = false;
  button.addEventListener("click", async () => {
    status.textContent = "";
    try {
      post(await startAuthentication({ optionsJSON }));
    } catch {
      status.textContent = NOT_USED;
    }
  });
  if ("autofill" in form.dataset) void offer(optionsJSON, post);
}

/**
 * Waits until the user selects a passkey in the autocompletion list of the login field. If the user selects
 * another sign-in method, the passkey request is aborted.
 */
async function offer(
  optionsJSON: PublicKeyCredentialRequestOptionsJSON,
  post: (credential: unknown) => void,
): Promise<void> {
  try {
    if (await browserSupportsWebAuthnAutofill())
      post(await startAuthentication({ optionsJSON, useBrowserAutofill: true }));
  } catch {
    // The user has selected another sign-in method, which aborts the passkey request.
  }
}
