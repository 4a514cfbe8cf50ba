/**
 * The number of pages in the log before a checkpoint, four times SQLite's default. Random digests change many
 * different pages. With a longer log, a page that changed several times is copied only once.
 */
export const LOG_LENGTH = "wal_autocheckpoint=4000";
