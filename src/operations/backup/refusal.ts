/**
 * An error that is thrown when a backup cannot be created or restored. The message is a sentence for the
 * operator and contains the reason.
 */
export class BackupRefused extends Error {}
