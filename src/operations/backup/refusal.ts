/**
 * Raised when a backup cannot be created or restored; the message is a sentence for the operator with the
 * reason.
 */
export class BackupRefused extends Error {}
