export { postRecoveryCodes as POST } from "@/identity/two-factor/recovery-code-file";
