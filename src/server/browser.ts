import { enablePasskeyForms } from "@/identity/two-factor/passkey-form.ts";
import { enablePasswordToggles } from "@/ui/password-toggle.ts";

/** The script of all pages, which runs in the browser. Every page works without this script. */
enablePasskeyForms();
enablePasswordToggles();
