export { postRecoveryCodes as POST } from "@/features/two-factor/recovery-code-file";
